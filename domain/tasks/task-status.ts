/** Statuses and priorities of a task (docs/product.md 3.5 and 4.5), in the order in which menus list the options. */

export const taskStatuses = [
  { value: 'pending', label: 'Pending' },
  { value: 'in_progress', label: 'In Progress' },
  { value: 'waiting_on_parts', label: 'Waiting on Parts' },
  { value: 'waiting_on_customer', label: 'Waiting on Customer' },
  { value: 'on_hold', label: 'On Hold' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
] as const

export type TaskStatus = (typeof taskStatuses)[number]['value']

/** The label of a task status: 'waiting_on_parts' → 'Waiting on Parts'; an unknown value is returned unchanged. */
export function taskStatusLabel(status: string): string {
  return taskStatuses.find(({ value }) => value === status)?.label ?? status
}

export const taskPriorities = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
  { value: 'urgent', label: 'Urgent' },
] as const

export type TaskPriority = (typeof taskPriorities)[number]['value']

export const defaultTaskPriority: TaskPriority = 'medium'

/** The label of a task priority: 'urgent' → 'Urgent'; an unknown value is returned unchanged. */
export function taskPriorityLabel(priority: string): string {
  return taskPriorities.find(({ value }) => value === priority)?.label ?? priority
}

export type QuickTransition = { label: string; to: TaskStatus }

const quickTransitions: Partial<Record<TaskStatus, QuickTransition>> = {
  pending: { label: 'Start Task', to: 'in_progress' },
  in_progress: { label: 'Mark Complete', to: 'completed' },
  completed: { label: 'Reopen Task', to: 'in_progress' },
}

/**
 * The status change that a task card offers as a single button. The status panel allows a change from any status to
 * any other (docs/product.md 4.5).
 */
export function quickTransition(status: TaskStatus): QuickTransition | undefined {
  return quickTransitions[status]
}

/**
 * Returns whether a task has the button 'Ready for Pickup': the task is completed and not yet marked ready
 * (docs/product.md 4.5).
 */
export function canBeMarkedReady(task: {
  readonly status: string
  readonly ready_for_pickup_at: string | null
}): boolean {
  return task.status === 'completed' && task.ready_for_pickup_at === null
}
