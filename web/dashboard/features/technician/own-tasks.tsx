import type { TechnicianTask } from '#contracts/technician-day.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { completeOwnTask } from './technician-api.ts'
import { useTechnicianChange } from './use-technician-change.ts'

/** The open tasks that are assigned to the technician, each with a button that completes it. */
export function OwnTasks({ tasks }: { tasks: readonly TechnicianTask[] }) {
  const change = useTechnicianChange()
  const own = tasks.filter((task) => task.is_own && task.status !== 'completed')
  return (
    <section className="technician-tasks" aria-labelledby="own-tasks">
      <h3 id="own-tasks">Your tasks ({own.length})</h3>
      {own.length === 0 && <EmptyState dashed title="No open task is assigned to you." />}
      <ul>
        {own.map((task) => (
          <li key={task.id} className="technician-task">
            <div>
              <strong>{task.title}</strong>
              <p>{detailsOf(task)}</p>
              {task.description && <p className="technician-notes">{task.description}</p>}
            </div>
            <Button
              compact
              large
              disabled={change.isPending}
              onClick={() =>
                change.mutate({
                  title: 'Task completed',
                  description: `${task.title}.`,
                  save: () => completeOwnTask(task.id),
                })
              }
            >
              Done
              <span className="visually-hidden"> {task.title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function detailsOf(task: TechnicianTask): string {
  const isUrgent = task.priority === 'high' || task.priority === 'urgent'
  return [
    vehicleName(task),
    isUrgent && `${task.priority} priority`,
    task.due_date && `due ${formatShortDate(task.due_date)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
