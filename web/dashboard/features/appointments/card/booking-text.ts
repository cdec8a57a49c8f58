import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'

/** The badge of an appointment: the state of its vehicle; COMPLETED once it was picked up (docs/product.md 2.8). */
export function statusBadge(booking: Booking): { tone: BadgeTone; label: string } {
  if (isCompleted(booking)) return { tone: 'ok', label: 'COMPLETED' }
  const { vehicle_facts, attendance_confirmed_at } = booking
  return stateLabel({ vehicle_facts, will_come: attendance_confirmed_at !== null })
}

export function isCompleted({ vehicle_facts }: Booking): boolean {
  return vehicleState(vehicle_facts) === 'picked_up'
}

/** Whether its slot is free again, although it was never completed. */
export function isInactive({ vehicle_facts }: Booking): boolean {
  return ['cancelled', 'not_confirmed'].includes(vehicleState(vehicle_facts))
}

/** Whether it takes its slot for good: neither gone nor waiting for its e-mail. */
export function isActive(booking: Booking): boolean {
  return !isInactive(booking) && vehicleState(booking.vehicle_facts) !== 'held'
}

type Flagged = Pick<Booking, 'flagged_reasons' | 'hold_confirmed_at'>

/** Reasons to look at an appointment that are no sign of a machine by themselves (docs/product.md 10.3), in words. */
export const rateFlagLabels: Readonly<Record<string, string>> = {
  many_open_bookings: 'Check: more than 5 open appointments',
  many_from_one_client: 'Check: many from one sender',
  many_from_one_network: 'Check: many from one network',
  many_at_once: 'Check: unusually many bookings',
}

/** Whether there is a reason to look at it, and nobody has said since that it was meant. */
export function isFlagged(booking: Flagged): boolean {
  return booking.flagged_reasons.length > 0 && booking.hold_confirmed_at === null
}

/** Whether a machine seems to have made it: one of a crowd may well be a person. */
export function looksAutomated(booking: Flagged): boolean {
  return isFlagged(booking) && booking.flagged_reasons.some((reason) => !(reason in rateFlagLabels))
}

/** How long a held appointment stands without an answer to its e-mail; undefined for any other. */
export function formatHold({ held_until }: Booking): string | undefined {
  if (held_until === null) return undefined
  return `On hold until ${formatShopTime(new Date(held_until))}`
}

/** What is wrong with an appointment that a change of hours, closures or bays left outside. */
export function scheduleConflictLabel({ problem }: { problem: string }): string {
  return problem === 'no_bay' ? 'No bay assigned' : 'Outside business hours'
}
