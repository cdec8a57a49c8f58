import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'
import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import type { TaskPriority, TaskStatus } from '#domain/tasks/task-status.ts'

export type Employee = { readonly id: string; readonly name: string; readonly email: string }

/** A task as the dashboard reads it from the REST API (docs/product.md 3.5). */
export type Task = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly priority: TaskPriority
  readonly status: TaskStatus
  readonly assigned_to: string | null
  /** The date on which the task is due: yyyy-MM-dd. */
  readonly due_date: string | null
  readonly booking_id: string | null
  readonly created_at: string
  readonly completed_at: string | null
  readonly ready_for_pickup_at: string | null
  /** The text that the visit page shows beside the task's status; '' shows no text. */
  readonly customer_note: string
  /** Whether the customer asked for the replaced parts when they approved the work (16 CCR 3355). */
  readonly wants_parts_back: boolean | null
  readonly employee: { readonly name: string; readonly email: string } | null
  readonly booking: TaskBooking | null
  /** The estimate whose approved job the task was created from. */
  readonly estimate: { readonly id: string; readonly number: string } | null
}

/** The columns of a task's booking that the dashboard reads. */
type TaskBooking = ColoredVehicle & {
  readonly id: string
  /** The version of the booking; a request that changes the state of the booking must send this version. */
  readonly version: number
  /**
   * The state of the booking, the statuses of its tasks, and whether its invoice is paid. From these values, pages
   * compute the state of the vehicle.
   */
  readonly vehicle_facts: VehicleFacts
  readonly customer_name: string
  readonly customer_email: string | null
  readonly customer_phone: string
  readonly appointment_date: string
  readonly appointment_time: string
}

export type TaskStatusChange = {
  readonly id: string
  readonly task_id: string
  readonly old_status: string
  readonly new_status: string
  readonly note: string | null
  readonly changed_by_name: string
  readonly created_at: string
}

export type TaskNote = {
  readonly id: string
  readonly task_id: string
  readonly note: string
  readonly created_by_name: string
  readonly created_at: string
}

/** The columns that the dashboard sends when staff create a task. */
export type NewTask = {
  readonly title: string
  readonly description: string
  readonly priority: TaskPriority
  readonly assigned_to: string | null
  readonly due_date: string | null
  readonly booking_id?: string
}
