import { OwnerOnly } from '#web/dashboard/kit/staff/staff-role.tsx'
import type { Task } from '#contracts/tasks.ts'
import {
  canBeMarkedReady,
  quickTransition,
  taskPriorityLabel,
  taskStatusLabel,
  type TaskPriority,
  type TaskStatus,
} from '#domain/tasks/task-status.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import { vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { RepairDetails } from '#web/dashboard/kit/records/repair-details.tsx'
import { useLinkedRecord } from '#web/dashboard/kit/records/use-linked-record.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { CompletionDetails, TaskDetails } from './task-details.tsx'
import { TaskLogView } from './task-log.tsx'
import type { TaskLog } from '../tasks-api.ts'
import type { TaskActions } from './use-task-actions.ts'

export type TaskHandlers = {
  readonly onUpdateStatus: (task: Task) => void
  readonly onAddNote: (task: Task) => void
  readonly onDelete: (task: Task) => void
}

type Props = {
  task: Task
  log: TaskLog
  today: string
  /** Whether the URL contains the id of this task. If so, the page scrolls to the card and highlights it. */
  isLinked: boolean
  actions: TaskActions
  handlers: TaskHandlers
}

export function TaskCard({ task, log, today, isLinked, actions, handlers }: Props) {
  const linked = useLinkedRecord<HTMLElement>(isLinked)
  return (
    <article
      className={`card task-card ${isLinked ? 'task-linked' : ''}`}
      {...linked}
      aria-label={task.title}
    >
      <header>
        <h4 className="task-title">{task.title}</h4>
        <Badge tone={priorityTones[task.priority]}>{taskPriorityLabel(task.priority)}</Badge>
        <Badge tone={statusTones[task.status]}>{taskStatusLabel(task.status)}</Badge>
        {task.ready_for_pickup_at && <Badge tone="solid">Ready for Pickup</Badge>}
      </header>
      {task.description && <p className="task-text">{task.description}</p>}
      <TaskDetails task={task} today={today} />
      {task.status === 'completed' && <CompletionDetails task={task} />}
      <TaskButtons task={task} actions={actions} handlers={handlers} />
      {task.estimate && <RepairDetails kind="task" id={task.id} />}
      <TaskLogView
        changes={log.changes.filter(({ task_id }) => task_id === task.id)}
        notes={log.notes.filter(({ task_id }) => task_id === task.id)}
      />
    </article>
  )
}

function TaskButtons(props: { task: Task; actions: TaskActions; handlers: TaskHandlers }) {
  const { task, actions, handlers } = props
  const quick = quickTransition(task.status)
  const isReadyNext = canBeMarkedReady(task)
  const { booking } = task
  const step = booking && vehicleTable[vehicleState(booking.vehicle_facts)].taskCard
  const named = <span className="visually-hidden">: {task.title}</span>
  return (
    <div className="button-group task-buttons">
      {step && (
        <Button
          compact
          level="strong"
          disabled={actions.isBusy}
          onClick={() => void actions.completeBooking(booking)}
        >
          {step.label}
          {named}
        </Button>
      )}
      {isReadyNext && (
        <Button
          compact
          level="strong"
          disabled={actions.isBusy}
          onClick={() => void actions.markReady(task)}
        >
          Ready for Pickup{named}
        </Button>
      )}
      {quick && (
        <Button
          compact
          level={task.status === 'completed' ? 'secondary' : 'strong'}
          disabled={actions.isBusy}
          onClick={() => void actions.setStatus(task, quick.to)}
        >
          {task.status === 'completed' && <Icon name="undo" />}
          {quick.label}
          {named}
        </Button>
      )}
      <Button
        compact
        level={quick ? 'secondary' : 'strong'}
        onClick={() => handlers.onUpdateStatus(task)}
      >
        Update Status{named}
      </Button>
      <Button compact onClick={() => handlers.onAddNote(task)}>
        <Icon name="note" />
        Add Note{named}
      </Button>
      <OwnerOnly>
        <Button compact level="danger" onClick={() => handlers.onDelete(task)}>
          <Icon name="trash" />
          Delete{named}
        </Button>
      </OwnerOnly>
    </div>
  )
}

const statusTones: Readonly<Record<TaskStatus, BadgeTone>> = {
  pending: 'neutral',
  in_progress: 'info',
  waiting_on_parts: 'warn',
  waiting_on_customer: 'violet',
  on_hold: 'ring',
  completed: 'ok',
  cancelled: 'ring',
}

const priorityTones: Readonly<Record<TaskPriority, BadgeTone>> = {
  low: 'neutral',
  medium: 'neutral',
  high: 'warn',
  urgent: 'danger',
}
