import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import './booking-paused.css'

/**
 * Replaces the three steps while the shop takes no online bookings: shows the reason and the ways to contact the shop
 * (docs/product.md 11.2).
 */
export function BookingPaused() {
  const { phone, bookingEmail, rules } = useShop()
  return (
    <PageMain className="page-width inner-page">
      <div className="wizard">
        <Link className="back-link" to={paths.home}>
          <Icon name="arrow-left" />
          Back
        </Link>
        <PageHead title="Online booking is paused">{rules.pauseSentence}</PageHead>
        <div className="booking-paused">
          <a className={buttonClass('primary')} href={phone.href}>
            Call {phone.display}
          </a>
          <a className={buttonClass('secondary')} href={`mailto:${bookingEmail}`}>
            Email us
          </a>
        </div>
      </div>
    </PageMain>
  )
}
