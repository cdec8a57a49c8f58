import { replyTime } from '#domain/quotes/reply-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import './start-actions.css'

const actionsOf = (shop: Shop) => [
  {
    to: paths.bookAppointment,
    label: 'Book Appointment',
    detail: 'Pick a service and a time, in three steps',
  },
  {
    to: paths.requestQuote,
    label: 'Get a Quote',
    detail: `We reply within ${replyTime(shop)}, free`,
  },
  { to: paths.payInvoice, label: 'Pay Invoice', detail: 'By card, with your invoice number' },
]

/** The three large buttons, at the top of the home page and again at its end. */
export function StartActions({ isDark }: { isDark?: boolean }) {
  return (
    <div className={isDark ? 'start-actions dark-start-actions' : 'start-actions'}>
      {actionsOf(useShop()).map(({ to, label, detail }, index) => (
        <Link
          key={to}
          to={to}
          className={index === 0 ? 'start-action start-action-main' : 'start-action'}
        >
          <b>{label}</b>
          <span>{detail}</span>
          <Icon name="arrow-right" />
        </Link>
      ))}
    </div>
  )
}
