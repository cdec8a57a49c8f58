import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { type Booking, bookingColumns } from '#contracts/bookings/bookings.ts'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { rateFlagLabels } from './card/booking-text.ts'

/** The statuses of bookings that no longer occupy their slot. Lists show these bookings in a collapsed section. */
const inactiveStatuses = '(cancelled,not_confirmed)'

/**
 * The list to read: `open` contains upcoming bookings, `completed` contains completed bookings, and `gone` contains
 * cancelled and unconfirmed bookings.
 */
export type ListState = 'open' | 'completed' | 'gone'

/** The number of bookings in one page of a list. */
export const listPageSize = 25

/** Reads all appointments of the week that begins on `monday` (yyyy-MM-dd), earliest first. */
export async function listWeek(monday: string): Promise<Booking[]> {
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .select(bookingColumns)
      .gte('appointment_date', monday)
      .lte('appointment_date', addDays(monday, 6))
      .order('appointment_date')
      .order('appointment_time'),
  )
  return data
}

/**
 * Special hours of the whole shop: a closure, or opening hours on a day on which the shop is usually closed. All times
 * are in the shop's time zone.
 */
export type SpecialHours = {
  readonly starts_at: string
  readonly ends_at: string
  readonly is_open: boolean
  readonly reason: string
}

/** The special hours of the week that begins on `monday`, with the reasons that only staff may read. */
export async function listSpecialHours(monday: string): Promise<SpecialHours[]> {
  const { data } = await requestData((service) =>
    service
      .from('special_hours')
      .select('starts_at, ends_at, is_open, reason')
      .is('bay_id', null)
      .lt('starts_at', addDays(monday, 7))
      .gt('ends_at', monday)
      .order('starts_at'),
  )
  return data
}

export type BookingPage = { readonly bookings: Booking[]; readonly total: number }

/**
 * Reads the first `limit` bookings of a list. Open bookings are sorted earliest first, all other bookings latest first.
 * Every word of `search` must match. `total` is the number of all matches, or 0 if `isCounted` is false.
 */
export async function listBookings(
  state: ListState,
  search: string,
  limit: number,
  isCounted = true,
): Promise<BookingPage> {
  const ascending = state === 'open'
  const counting = isCounted ? ({ count: 'exact' } as const) : {}
  const { data, count } = await requestData((service) => {
    const all = service.from('bookings').select(bookingColumns, counting)
    // The search text is a name or a phone number, which must not appear in a URL. This request therefore passes the
    // text as an argument of a database function, not as a filter of a query.
    const found = service.rpc('find_bookings', { search }, counting).select(bookingColumns)
    const page = <Rows extends Filters<Rows>>(rows: Rows) =>
      inState(rows, state)
        .order('appointment_date', { ascending })
        .order('appointment_time', { ascending })
        .limit(limit)
    return search === '' ? page(all) : page(found)
  })
  return { bookings: data, total: count }
}

type Filters<Rows> = {
  is(column: string, value: null): Rows
  not(column: string, operator: string, value: unknown): Rows
  filter(column: string, operator: string, value: unknown): Rows
  order(column: string, options: { ascending: boolean }): Rows
  limit(count: number): Rows
}

function inState<Rows extends Filters<Rows>>(rows: Rows, state: ListState): Rows {
  if (state === 'completed') return rows.not('completed_at', 'is', null)
  const open = rows.is('completed_at', null)
  return state === 'gone'
    ? open.filter('status', 'in', inactiveStatuses)
    : open.not('status', 'in', inactiveStatuses)
}

/**
 * The query that counts the bookings of the shop, except cancelled bookings and bookings that were not confirmed. All
 * components that use this query share one request.
 */
export const bookingCount = {
  queryKey: ['bookings', 'count'],
  queryFn: countBookings,
  staleTime: 5_000,
}

async function countBookings(): Promise<number> {
  const counted = { count: 'exact', head: true } as const
  const [all, inactive] = await Promise.all([
    requestData((service) => service.from('bookings').select('id', counted)),
    requestData((service) => inState(service.from('bookings').select('id', counted), 'gone')),
  ])
  return all.count - inactive.count
}

/** The fields of a booking that the browser stores when staff select the booking by its checkbox. */
export type SelectableBooking = Pick<
  Booking,
  | 'id'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'flagged_reasons'
  | 'hold_confirmed_at'
>

/** Reads all open bookings for which `looksAutomated` returns true, earliest first. */
export async function listAutomated(): Promise<SelectableBooking[]> {
  const { data } = await requestData((service) =>
    inState(
      service
        .from('bookings')
        .select(
          'id, customer_name, customer_email, customer_phone, flagged_reasons, hold_confirmed_at',
        ),
      'open',
    )
      .not('flagged_reasons', 'cd', `{${Object.keys(rateFlagLabels).join()}}`)
      .is('hold_confirmed_at', null)
      .order('appointment_date')
      .limit(1000),
  )
  return data
}

/** The id of a cancelled booking, and the status that the booking gets back when staff reopen it. */
export type ReopenedBooking = { readonly id: string; readonly status: string }

/**
 * Cancels open bookings and emails the customers of the bookings in `notifiedIds`. The result leaves out bookings that
 * were already completed or cancelled.
 */
export function cancelBookings(
  bookingIds: readonly string[],
  reason: string,
  notifiedIds: readonly string[],
) {
  return runCommand(bookingCommands.cancelMany, {
    bookingIds: [...bookingIds],
    reason: reason || null,
    notifiedIds: [...notifiedIds],
  })
}

/** Reopens bookings; returns the ids of those whose slot was still free. */
export async function reopenBookings(bookings: readonly ReopenedBooking[]): Promise<string[]> {
  const { reopened } = await runCommand(bookingCommands.reopen, { bookings: [...bookings] })
  return reopened
}

/**
 * Marks a booking as completed. Returns false if the booking was already completed or deleted, for example in another
 * window.
 */
export async function completeBooking(id: string): Promise<boolean> {
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .update({ completed_at: new Date().toISOString(), completed_by: 'admin' })
      .eq('id', id)
      .is('completed_at', null)
      .select('id'),
  )
  return data.length > 0
}

/** Makes a completed booking open again. Returns false if the booking was already open or deleted. */
export async function undoCompletion(id: string): Promise<boolean> {
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .update({ completed_at: null, completed_by: null })
      .eq('id', id)
      .not('completed_at', 'is', null)
      .select('id'),
  )
  return data.length > 0
}

export async function deleteBooking(id: string): Promise<void> {
  await requestData((service) => service.from('bookings').delete().eq('id', id))
}
