import type { NewBooking } from '#domain/bookings/booking-form.ts'
import type { GuardHeaders } from '#web/site/kit/form-guard.ts'
import { insertGuarded } from '#web/site/kit/insert-guarded.ts'

/**
 * The outcome of inserting a booking. 'unanswered' means that the browser does not know whether the server stored the
 * booking.
 */
export type InsertOutcome =
  | 'booked'
  | 'slot_taken'
  | 'notice_required'
  | 'time_refused'
  | 'service_unavailable'
  | 'too_many_requests'
  | 'not_online_now'
  | 'refused'
  | 'unreachable'
  | 'unanswered'

/**
 * SQLSTATEs of the database's refusals (supabase/schemas/35_bookings.sql and 45_holds.sql). 23P01 and 40P01 are
 * PostgreSQL's own.
 */
const outcomes: Readonly<Record<string, InsertOutcome>> = {
  '23P01': 'slot_taken',
  // PostgreSQL ended a deadlock between two bookings of the same slot by cancelling this booking. The other booking has
  // taken the slot.
  '40P01': 'slot_taken',
  TT001: 'service_unavailable',
  TT011: 'notice_required',
  TT012: 'notice_required',
  TT013: 'time_refused',
  TT014: 'time_refused',
  TT015: 'time_refused',
  // The database refused the booking because online booking is paused, or because too many appointments are waiting for
  // confirmation.
  TT016: 'not_online_now',
  TT041: 'not_online_now',
}

/** HTTP statuses of a request without a response, or of a proxy that got no response from the server. */
const lostResponseStatuses = new Set([0, 408, 502, 504])

/** Inserts the booking and returns the outcome. Never throws. */
export async function insertBooking(row: NewBooking, guard: GuardHeaders): Promise<InsertOutcome> {
  const failure = await insertGuarded((data) => data.from('bookings').insert(row), guard)
  if (!failure) return 'booked'
  if (failure.kind === 'unreachable') return 'unreachable'
  const { code, status } = failure
  if (lostResponseStatuses.has(status)) return 'unanswered'
  if (status === 429) return 'too_many_requests'
  return outcomes[code] ?? 'refused'
}
