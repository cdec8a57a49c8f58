import type { TaskPriority, TaskStatus } from '#domain/tasks/task-status.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

export const statusTones: Readonly<Record<TaskStatus, BadgeTone>> = {
  pending: 'neutral',
  in_progress: 'info',
  waiting_on_parts: 'warn',
  waiting_on_customer: 'violet',
  on_hold: 'ring',
  completed: 'ok',
  cancelled: 'ring',
}

export const priorityTones: Readonly<Record<TaskPriority, BadgeTone>> = {
  low: 'neutral',
  medium: 'neutral',
  high: 'warn',
  urgent: 'danger',
}
