import { randomUUID } from 'node:crypto'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopInstant, shopToday } from '#domain/calendar/shop-time.ts'
import type { TaskStatus } from '#domain/tasks/task-status.ts'
import { type SampleQuote, sampleQuotes, type SampleTask, sampleTasks } from './sample-work.ts'
import type { SampleBooking } from './sample-booking.ts'
import { sampleBookings } from './sample-bookings.ts'

/** The data of the shop for which a sample week is planned. */
export type SampleWeekShop = {
  /** The current time in milliseconds since 1970. */
  readonly now: number
  /** The dates ('yyyy-MM-dd') around today on which at least one bay is open, in ascending order. */
  readonly openDates: readonly string[]
  /** The active services. */
  readonly services: readonly { readonly id: string; readonly name: string }[]
}

const hourMs = 3_600_000

/**
 * Returns the sample bookings in the format of `internal.add_sample_booking`. Each booking has the key by which sample
 * tasks refer to the booking.
 */
export function planBookings(shop: SampleWeekShop) {
  return sampleBookings.flatMap((booking, index) => {
    const date = dateOf(shop, booking.day)
    const service = chooseService(shop, booking.service, index)
    return date && service
      ? [{ key: booking.key, row: bookingRow(shop, booking, date, service.id) }]
      : []
  })
}

function bookingRow(
  { now }: SampleWeekShop,
  booking: SampleBooking,
  date: string,
  serviceId: string,
) {
  const { day: _day, service: _service, key: _key, bookedDaysAhead, ...row } = booking
  const from = Math.min(now, shopInstant(date, booking.time).getTime())
  return {
    ...row,
    id: randomUUID(),
    serviceId,
    date,
    status: booking.status ?? 'confirmed',
    createdAt: instant(from - bookedDaysAhead * 24 * hourMs),
  }
}

/** Returns the quote requests and their replies in the format of `internal.add_sample_quote`. */
export function planQuotes(shop: SampleWeekShop) {
  return sampleQuotes.map(({ hoursAgo, reply, ...quote }: SampleQuote) => ({
    reply,
    row: { ...quote, id: randomUUID(), createdAt: ago(shop, hoursAgo) },
  }))
}

/** Returns the tasks in the format of `internal.add_sample_task`. `bookingIds` maps booking keys to booking ids. */
export function planTasks(
  shop: SampleWeekShop,
  bookingIds: ReadonlyMap<string, string>,
  by: string,
) {
  return sampleTasks.map((task) => ({
    id: randomUUID(),
    title: task.title,
    description: task.description,
    priority: task.priority,
    status: task.changes.at(-1)?.to ?? 'pending',
    employee: task.employee ?? null,
    dueDate:
      task.dueInDays === undefined ? null : addDays(shopToday(new Date(shop.now)), task.dueInDays),
    bookingId: (task.booking && bookingIds.get(task.booking)) ?? null,
    createdAt: ago(shop, task.createdHoursAgo),
    completedAt: completedAt(shop, task),
    readyAt: task.readyHoursAgo === undefined ? null : ago(shop, task.readyHoursAgo),
    changes: changesOf(shop, task, by),
    notes: task.notes.map(({ note, hoursAgo }) => ({ note, by, at: ago(shop, hoursAgo) })),
  }))
}

function completedAt(shop: SampleWeekShop, { changes }: SampleTask): string | null {
  const last = changes.at(-1)
  return last?.to === 'completed' ? ago(shop, last.hoursAgo) : null
}

function changesOf(shop: SampleWeekShop, { changes }: SampleTask, by: string) {
  let from: TaskStatus = 'pending'
  return changes.map(({ to, note, hoursAgo }) => {
    const change = { from, to, note: note ?? null, by, at: ago(shop, hoursAgo) }
    from = to
    return change
  })
}

/**
 * Returns the date of the nth open day, where 0 means today. Returns undefined if there is no such day, for example
 * for 0 when the shop is closed today.
 */
function dateOf({ now, openDates }: SampleWeekShop, day: number): string | undefined {
  const today = shopToday(new Date(now))
  if (day === 0) return openDates.find((date) => date === today)
  return day < 0
    ? openDates.filter((date) => date < today).at(day)
    : openDates.filter((date) => date > today)[day - 1]
}

function chooseService({ services }: SampleWeekShop, keyword: string, index: number) {
  const named = services.find(({ name }) => name.toLowerCase().includes(keyword))
  return named ?? services[index % services.length]
}

const instant = (ms: number) => new Date(ms).toISOString()
const ago = ({ now }: SampleWeekShop, hours: number) => instant(now - hours * hourMs)
