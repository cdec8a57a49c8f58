import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'

/** The badge of a booking: the state of its vehicle, or COMPLETED after pickup (docs/product.md 2.8). */
export function statusBadge(booking: Booking): { tone: BadgeTone; label: string } {
  if (isCompleted(booking)) return { tone: 'ok', label: 'COMPLETED' }
  const { vehicle_facts, attendance_confirmed_at } = booking
  return stateLabel({ vehicle_facts, will_come: attendance_confirmed_at !== null })
}

export function isCompleted({ vehicle_facts }: Booking): boolean {
  return vehicleState(vehicle_facts) === 'picked_up'
}

/**
 * Whether the slot of the booking is free again, because the booking was cancelled or the customer did not confirm the
 * booking.
 */
export function isInactive({ vehicle_facts }: Booking): boolean {
  return ['cancelled', 'not_confirmed'].includes(vehicleState(vehicle_facts))
}

/** Whether the booking is neither cancelled nor unconfirmed, and does not wait for the customer's confirmation. */
export function isActive(booking: Booking): boolean {
  return !isInactive(booking) && vehicleState(booking.vehicle_facts) !== 'held'
}

type Flagged = Pick<Booking, 'flagged_reasons' | 'hold_confirmed_at'>

/**
 * The badge labels for an unusual number of bookings, by the flag of the spam check. Such a flag alone does not mean
 * that the booking looks automated (docs/product.md 10.3).
 */
export const rateFlagLabels: Readonly<Record<string, string>> = {
  many_open_bookings: 'Check: more than 5 open appointments',
  many_from_one_client: 'Check: many from one sender',
  many_from_one_network: 'Check: many from one network',
  many_at_once: 'Check: unusually many bookings',
}

/** Whether the spam check flagged the booking and nobody has confirmed the booking since. */
export function isFlagged(booking: Flagged): boolean {
  return booking.flagged_reasons.length > 0 && booking.hold_confirmed_at === null
}

/**
 * Whether a flag of the spam check shows that the booking looks automated. A flag for an unusual number of bookings is
 * not enough, because real customers can cause such a flag.
 */
export function looksAutomated(booking: Flagged): boolean {
  return isFlagged(booking) && booking.flagged_reasons.some((reason) => !(reason in rateFlagLabels))
}

/** The time until which a held booking waits for the customer's confirmation; undefined for any other booking. */
export function formatHold({ held_until }: Booking): string | undefined {
  if (held_until === null) return undefined
  return `On hold until ${formatShopTime(new Date(held_until))}`
}

/**
 * Returns the label of a schedule conflict: after a change of hours, closures or bays, a booking has no bay or is
 * outside the opening hours.
 */
export function scheduleConflictLabel({ problem }: { problem: string }): string {
  return problem === 'no_bay' ? 'No bay assigned' : 'Outside business hours'
}
