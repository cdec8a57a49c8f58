/** What a vehicle can be to the shop, from its booking to its pickup (docs/product.md 12.14). */
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

/** A task of the booking, as far as the state depends on it. */
export type VehicleTask = {
  /** A status of domain/tasks/task-status.ts. */
  readonly status: string
  /** Whether it was marked ready for pickup. */
  readonly isReady: boolean
}

/** All that the state of a vehicle depends on. */
export type VehicleFacts = {
  /** confirmed, pending, arrived, in_work, completed, cancelled, no_show, not_confirmed, or what staff wrote. */
  readonly bookingState: string
  /** Whether the booking waits for its customer's confirmation, or waited for it in vain. */
  readonly hold: 'none' | 'running' | 'ended'
  readonly tasks: readonly VehicleTask[]
  /** Whether the invoice of its estimate is paid in full. */
  readonly isPaid: boolean
}

/** What ends a visit, and what gives its time away, whatever its tasks say. */
const finalStates: Readonly<Record<string, VehicleState>> = {
  completed: 'picked_up',
  cancelled: 'cancelled',
  no_show: 'no_show',
  not_confirmed: 'not_confirmed',
}

/**
 * The one state of a vehicle: every page takes its sentence and its next button from it (docs/product.md 12.14). The
 * database computes the same in `internal.vehicle_state`.
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
