import { useQuery } from '@tanstack/react-query'
import { Icon } from '#web/ui/icon/icon.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { readHistory } from '../day-api.ts'
import { formatEvent, formatActor } from './history-text.ts'

/** The history of a booking, latest first. The section is collapsed until the user opens it. */
export function AppointmentHistory({ bookingId }: { bookingId: string }) {
  const nameOf = useNameOf()
  const history = useQuery({
    queryKey: ['bookings', 'history', bookingId],
    queryFn: () => readHistory(bookingId),
  })
  return (
    <details className="panel-part panel-timeline">
      <summary>
        <h3>
          <Icon name="clock" />
          History {history.data && <span className="muted">({history.data.length})</span>}
        </h3>
      </summary>
      {history.isError && <p>The history could not be loaded.</p>}
      <ol>
        {history.data?.map((line) => (
          <li key={line.id}>
            <b>{formatEvent(line)}</b>
            {line.reason && <span>“{line.reason}”</span>}
            <small className="muted">{formatActor(line, nameOf)}</small>
          </li>
        ))}
      </ol>
    </details>
  )
}
