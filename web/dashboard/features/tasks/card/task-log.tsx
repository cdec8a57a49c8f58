import { useState } from 'react'
import type { TaskNote, TaskStatusChange } from '#contracts/tasks.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { taskStatusLabel } from '#domain/tasks/task-status.ts'
import { Button } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'

/** The number of changes that the log shows before the user presses Show All (docs/product.md 9.7). */
const shownChanges = 3

type Props = { changes: readonly TaskStatusChange[]; notes: readonly TaskNote[] }

/** A task's status history and notes, newest first. */
export function TaskLogView({ changes, notes }: Props) {
  if (changes.length === 0 && notes.length === 0)
    return <p className="muted no-notes">No notes yet.</p>
  return (
    <div className="task-log">
      <History changes={changes} />
      <section>
        <h5>Notes</h5>
        {notes.length === 0 && <p className="muted">No notes yet.</p>}
        {notes.map(({ id, note, created_by_name, created_at }) => (
          <div className="note" key={id}>
            {note}
            <small>
              <StaffName username={created_by_name} at={created_at} />,{' '}
              <time dateTime={created_at}>{formatStamp(created_at)}</time>
            </small>
          </div>
        ))}
      </section>
    </div>
  )
}

function History({ changes }: { changes: readonly TaskStatusChange[] }) {
  const [showsAll, setShowsAll] = useState(false)
  return (
    <section>
      <h5>Status history</h5>
      {changes.length === 0 && <p className="muted">No changes yet.</p>}
      <ol className="status-history" aria-label="Status history">
        {changes.slice(0, showsAll ? undefined : shownChanges).map((change) => (
          <li key={change.id}>
            <b>
              {taskStatusLabel(change.old_status)} <span aria-label="to">→</span>{' '}
              {taskStatusLabel(change.new_status)}
            </b>
            {change.note && <p className="task-note">{change.note}</p>}
            <span className="status-time">
              <StaffName username={change.changed_by_name} at={change.created_at} />,{' '}
              <time dateTime={change.created_at}>{formatStamp(change.created_at)}</time>
            </span>
          </li>
        ))}
      </ol>
      {changes.length > shownChanges && (
        <Button
          compact
          level="quiet"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show Less' : 'Show All'}
        </Button>
      )}
    </section>
  )
}
