import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { historyText } from './history-text.ts'

/**
 * Lists the changes since the estimate was sent: of the customer, of the vehicle, and of the link to the customer's
 * page.
 */
export function HistoryCard({ estimate }: { estimate: Estimate }) {
  if (estimate.history.length === 0) return null
  return (
    <section className="card rail-card" aria-label="History">
      <h3>History</h3>
      <ul className="estimate-history">
        {estimate.history.map((event) => (
          <li key={event.id}>
            {historyText(event).map((text) => (
              <span key={text}>{text}</span>
            ))}
            <small>
              {formatShortStamp(event.at)}, <StaffName username={event.changedBy} at={event.at} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
