import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { historyText } from './history-text.ts'

/** Lists the changes of the customer, the vehicle and the customer's link since the estimate was sent. */
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
