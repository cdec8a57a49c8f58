import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { addressLine, mapUrlOf } from '#domain/shop/shop.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useShop } from '#web/lib/shop.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { MarkedBolt } from '#web/ui/art/drawings.tsx'
import { PageMain } from '#web/ui/page-main/page-main.tsx'
import type { ConfirmedBooking } from '../draft/booking-draft.ts'
import '#web/ui/text/success.css'
import './booking-confirmed.css'

const leads: Readonly<Record<ConfirmedBooking['email'], string>> = {
  requested: 'Your appointment has been successfully scheduled.',
  sent: 'Your appointment has been successfully scheduled. Check your email for confirmation details.',
  failed:
    "Your appointment is confirmed, but we couldn't send the confirmation email. Please save your appointment details.",
}

/** The success view (docs/product.md 2.3). Its printout fits on one page. */
export function BookingConfirmed({
  booking,
  onBookAnother,
}: {
  booking: ConfirmedBooking
  onBookAnother: () => void
}) {
  return (
    <PageMain className="success">
      <div className="page-width success-columns">
        <MarkedBolt />
        <div>
          <h1 tabIndex={-1}>Booking Confirmed!</h1>
          <p className="success-lead">{leads[booking.email]}</p>
          <div role="status">
            {booking.confirmBy && (
              <LastStep by={formatShopTime(new Date(booking.confirmBy))} email={booking.email} />
            )}
          </div>
          <dl className="card summary booked-summary">
            <div>
              <dt>Date</dt>
              <dd>{formatLongDate(booking.date)}</dd>
            </div>
            <div>
              <dt>Time</dt>
              <dd>{formatTime(booking.time)}</dd>
            </div>
            <div>
              <dt>Service</dt>
              <dd>{booking.serviceName}</dd>
            </div>
            <WhereAndPhone />
          </dl>
          <div className="button-row">
            <Button level="primary" onClick={onBookAnother}>
              Book Another Appointment
            </Button>
            {booking.visitPath && (
              <a className={buttonClass('secondary')} href={booking.visitPath}>
                View or change your appointment
              </a>
            )}
            {booking.visitPath && (
              <a className={buttonClass('secondary')} href={`${booking.visitPath}/appointment.ics`}>
                Add to calendar
              </a>
            )}
          </div>
        </div>
      </div>
    </PageMain>
  )
}

/** The shop's street address with a link to directions, and the shop's phone number. */
function WhereAndPhone() {
  const shop = useShop()
  const { phone } = shop
  return (
    <>
      <div>
        <dt>Where</dt>
        <dd>
          {addressLine(shop)}
          <br />
          <a
            href={mapUrlOf(shop)}
            data-directions={addressLine(shop)}
            target="_blank"
            rel="noopener noreferrer"
          >
            Directions
          </a>
        </dd>
      </div>
      <div>
        <dt>Phone</dt>
        <dd>
          <a href={phone.href}>{phone.display}</a>
        </dd>
      </div>
    </>
  )
}

/** The notice that a suspicious booking still needs the customer's confirmation by email. */
function LastStep({ by, email }: { by: string; email: ConfirmedBooking['email'] }) {
  const { phone } = useShop()
  return (
    <p className="notice last-step">
      <span>
        <b>One more step</b>
        <br />
        {email === 'failed' ? (
          <>
            Call <a href={phone.href}>{phone.display}</a> by {by} and we'll confirm it.
          </>
        ) : (
          <>Open the email we just sent you and confirm by {by}.</>
        )}{' '}
        We hold the time for you until then.
      </span>
    </p>
  )
}
