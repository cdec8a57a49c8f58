import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { DeliveryBadge } from '#web/dashboard/kit/emails/delivery-state.tsx'

/** The emails to the customer about this estimate, with their delivery states. */
export function EmailsCard({ estimate }: { estimate: Estimate }) {
  if (estimate.emails.length === 0) return null
  return (
    <section className="card rail-card">
      <h3>Emails</h3>
      <ul className="estimate-emails">
        {estimate.emails.map(({ id, label, state, at, recipient }) => (
          <li key={id}>
            <span>
              {label} <DeliveryBadge status={state} />
            </span>
            <small>
              {recipient}, {formatShortStamp(at)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
