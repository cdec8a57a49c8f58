import type { NewTask, Task, TaskNote, TaskStatusChange } from '#contracts/tasks.ts'
import { vehicleColumns } from '#domain/customers/vehicle.ts'
import { tasksToCleanUp } from '#domain/tasks/task-cleanup.ts'
import type { TaskStatus } from '#domain/tasks/task-status.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'

const columns = `id, title, description, priority, status, assigned_to, due_date, booking_id,
  created_at, completed_at, ready_for_pickup_at, customer_note, wants_parts_back,
  employee:employees(name, email),
  booking:bookings(id, version, vehicle_facts, customer_name, customer_email, customer_phone,
    ${vehicleColumns}, appointment_date, appointment_time),
  estimate:estimates(id, number)` as const

/** The number of tasks in one page of a list. */
export const taskPageSize = 20

export type TaskPage = { readonly tasks: Task[]; readonly total: number }

/** Reads the newest `limit` completed or active tasks, and the number of all completed or active tasks. */
export async function listTasks(kind: 'active' | 'completed', limit: number): Promise<TaskPage> {
  const { data, count } = await requestData((service) => {
    const request = service.from('tasks').select(columns, { count: 'exact' })
    const chosen =
      kind === 'completed'
        ? request.eq('status', 'completed').is('archived_at', null)
        : request.neq('status', 'completed')
    return chosen.order('created_at', { ascending: false }).limit(limit)
  })
  return { tasks: data, total: count }
}

/** Reads a task by its id. Returns undefined if the task does not exist or the id is not a UUID. */
export async function findTask(id: string): Promise<Task | undefined> {
  if (!isUuid(id)) return undefined
  const { data } = await requestData((service) =>
    service.from('tasks').select(columns).eq('id', id),
  )
  return data[0]
}

export async function createTask(task: NewTask): Promise<void> {
  await requestData((service) => service.from('tasks').insert(task))
}

export async function deleteTask(id: string): Promise<void> {
  await requestData((service) => service.from('tasks').delete().eq('id', id))
}

/**
 * The author of a change, in the parameters that the database functions of a hosted Supabase project expect. The shop's
 * own REST API ignores these parameters and uses the username in the access token.
 */
const signedBy = (username: string) => ({ changed_by: null, changed_by_name: username })

/**
 * Sets the status and records it in the history. Throws error TT051 if the stored status differs from `seen`, the
 * status that the user was looking at.
 */
export async function updateTaskStatus(
  author: string,
  id: string,
  status: TaskStatus,
  note: string,
  seen: TaskStatus,
): Promise<void> {
  await requestData((service) =>
    service.rpc('update_task_status', {
      task_id: id,
      new_status: status,
      note: note.trim() || null,
      seen_status: seen,
      ...signedBy(author),
    }),
  )
}

/** Sets the note for the customer, which the visit page shows until the task changes its status. */
export async function setTaskCustomerNote(id: string, note: string): Promise<void> {
  await requestData((service) => service.rpc('set_task_customer_note', { task_id: id, note }))
}

export async function addTaskNote(author: string, id: string, note: string): Promise<void> {
  await requestData((service) =>
    service.rpc('add_task_note', { task_id: id, note: note.trim(), ...signedBy(author) }),
  )
}

export async function markReadyForPickup(author: string, id: string): Promise<void> {
  await requestData((service) =>
    service.rpc('mark_task_ready_for_pickup', { task_id: id, note: null, ...signedBy(author) }),
  )
}

export type TaskLog = { readonly changes: TaskStatusChange[]; readonly notes: TaskNote[] }

/** Reads the status history and notes of the shown tasks, newest first. */
export async function listTaskLogs(taskIds: readonly string[]): Promise<TaskLog> {
  const [changes, notes] = await Promise.all([
    requestData((service) =>
      service
        .from('task_status_history')
        .select('id, task_id, old_status, new_status, note, changed_by_name, created_at')
        .in('task_id', taskIds)
        .order('created_at', { ascending: false }),
    ),
    requestData((service) =>
      service
        .from('task_notes')
        .select('id, task_id, note, created_by_name, created_at')
        .in('task_id', taskIds)
        .order('created_at', { ascending: false }),
    ),
  ])
  return { changes: changes.data, notes: notes.data }
}

/**
 * Deletes completed tasks that are older than a week or not among the ten newest (docs/product.md 9.7).
 * @returns how many were deleted.
 */
export async function cleanUpCompletedTasks(now: Date): Promise<number> {
  const { data } = await requestData((service) =>
    service
      .from('tasks')
      .select('id, completed_at')
      .eq('status', 'completed')
      .is('archived_at', null)
      .order('completed_at', { ascending: false }),
  )
  const outdated = tasksToCleanUp(data, now)
  if (outdated.length === 0) return 0
  await requestData((service) => service.rpc('clean_up_tasks', { task_ids: outdated }))
  return outdated.length
}
