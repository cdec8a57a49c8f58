/** The states of a vehicle from its booking to its pickup (docs/product.md 12.14). */
export const vehicleStates = [
  'held',
  'expected',
  'here',
  'in_work',
  'waiting_on_parts',
  'waiting_on_customer',
  'ready',
  'ready_and_paid',
  'picked_up',
  'cancelled',
  'no_show',
  'not_confirmed',
] as const
export type VehicleState = (typeof vehicleStates)[number]

/** The values of a task that determine the state of its vehicle. */
export type VehicleTask = {
  /** The task's status: one of the statuses in domain/tasks/task-status.ts. */
  readonly status: string
  /** Whether staff marked the task as ready for pickup. */
  readonly isReady: boolean
}

/** All values that determine the state of a vehicle. */
export type VehicleFacts = {
  /**
   * The state of the booking: confirmed, pending, arrived, in_work, completed, cancelled, no_show, not_confirmed, or
   * a status that staff entered as free text.
   */
  readonly bookingState: string
  /**
   * The hold of the booking, which reserves the time until the customer or staff confirm the booking: 'running' before
   * the confirmation, 'ended' when the hold expired without a confirmation.
   */
  readonly hold: 'none' | 'running' | 'ended'
  readonly tasks: readonly VehicleTask[]
  /** Whether the invoice of the vehicle's estimate is paid in full. */
  readonly isPaid: boolean
}

/**
 * The booking states that determine the state of the vehicle regardless of tasks and payment, each with the resulting
 * state of the vehicle.
 */
const finalStates: Readonly<Record<string, VehicleState>> = {
  completed: 'picked_up',
  cancelled: 'cancelled',
  no_show: 'no_show',
  not_confirmed: 'not_confirmed',
}

/**
 * Computes the state of a vehicle, from which every page derives its texts and its next button
 * (docs/product.md 12.14). `internal.vehicle_state` in the database computes the same state.
 */
export function vehicleState({ bookingState, hold, tasks, isPaid }: VehicleFacts): VehicleState {
  const final = finalStates[bookingState]
  if (final) return final
  const planned = tasks.filter(({ status }) => status !== 'cancelled')
  const has = (status: string) => planned.some((task) => task.status === status)
  const isDone = planned.length > 0 && planned.every(({ status }) => status === 'completed')
  if (isDone && planned.some(({ isReady }) => isReady)) return isPaid ? 'ready_and_paid' : 'ready'
  if (bookingState === 'in_work' || bookingState === 'arrived' || has('in_progress')) {
    if (has('waiting_on_parts')) return 'waiting_on_parts'
    if (has('waiting_on_customer')) return 'waiting_on_customer'
    const hasBegun = bookingState === 'in_work' || has('in_progress') || has('completed')
    return hasBegun ? 'in_work' : 'here'
  }
  if (hold === 'running') return 'held'
  return hold === 'ended' ? 'not_confirmed' : 'expected'
}
