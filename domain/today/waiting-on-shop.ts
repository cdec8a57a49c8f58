import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { notificationText } from '#domain/customers/customer-notification.ts'
import { quoteServiceLabel } from '#domain/quotes/quote-form.ts'
import { formatShopTime, shopInstant } from '#domain/calendar/shop-time.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { type Vehicle, vehicleName } from '#domain/customers/vehicle.ts'
import { type VehicleFacts, vehicleState } from '#domain/bookings/vehicle-state.ts'
import { hasLeft, isInWork, todaySentence } from '#domain/bookings/vehicle-state-table.ts'
import { listMoneyToCheck, type MoneyToCheck } from './money-to-check.ts'
import type { WaitingClock, WaitingItem } from './waiting-item.ts'
import { nearDay, formatWaitingTime } from './waiting-time.ts'

type TodaysBooking = {
  readonly id: string
  readonly customer_name: string
  /** The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  readonly starts_at: string
  readonly ends_at: string
  readonly vehicle_facts: VehicleFacts
  readonly state_changed_at: string
  readonly bay_id: string | null
}
type ScheduleConflict = {
  readonly booking_id: string
  readonly appointment_date: string
  readonly appointment_time: string
  readonly duration_minutes: number
  readonly customer_name: string
  readonly service_name: string
  readonly problem: 'outside_hours' | 'no_bay'
}
type UndeliveredEmail = {
  readonly id: string
  readonly kind: string
  readonly recipient_name: string
  readonly recipient_email: string
  readonly phone: string | null
  readonly booking_id: string | null
  readonly appointment_date: string | null
  readonly quote_request_id: string | null
}
type ToNotify = {
  readonly id: string
  readonly customer_name: string
  readonly customer_email: string | null
  readonly customer_phone: string
  readonly starts_at: string
  readonly is_cancelled: boolean
}
type Quote = Vehicle & {
  readonly id: string
  readonly name: string
  readonly service_type: string | null
  readonly created_at: string
}

/** The records that need an action of the shop. Each list is sorted, oldest first. */
export type WaitingOnShopFacts = MoneyToCheck & {
  /** The current time: yyyy-MM-ddTHH:mm:ss, shop time. */
  readonly now: string
  readonly bays: readonly { readonly id: string; readonly name: string }[]
  readonly bookings: readonly TodaysBooking[]
  /** Bookings on other dates whose vehicle is at the shop now. */
  readonly also_here: readonly TodaysBooking[]
  readonly quotes: readonly Quote[]
  readonly undelivered_emails: readonly UndeliveredEmail[]
  /**
   * Bookings whose customer was not notified of a change. When the notification email failed, Today shows the line of
   * the failed email instead.
   */
  readonly to_notify: readonly ToNotify[]
  readonly schedule_conflicts: readonly ScheduleConflict[]
}

/**
 * The lines of 'Needs attention' (docs/product.md 13.2): customers at the counter first, then one group of lines for
 * each kind of problem, the oldest line of a group first.
 */
export function listWaitingOnShop(facts: WaitingOnShopFacts, clock: WaitingClock): WaitingItem[] {
  const isToday = (scheduleConflict: ScheduleConflict) =>
    scheduleConflict.problem === 'no_bay' && scheduleConflict.appointment_date === clock.today
  const ahead = facts.schedule_conflicts.filter((scheduleConflict) => !isToday(scheduleConflict))
  return [
    ...listArrived(facts, clock),
    ...facts.schedule_conflicts
      .filter(isToday)
      .map((scheduleConflict) => withoutBay(scheduleConflict, clock)),
    ...facts.quotes.map((quote) => unanswered(quote, clock)),
    ...facts.undelivered_emails.map(undelivered),
    ...notNotified(facts, clock),
    ...datesAhead(ahead, clock),
    ...listMoneyToCheck(facts, clock),
  ]
}

function listArrived(facts: WaitingOnShopFacts, { today, instant }: WaitingClock): WaitingItem[] {
  return [...facts.bookings, ...facts.also_here]
    .filter(({ vehicle_facts }) => vehicleState(vehicle_facts) === 'here')
    .toSorted((a, b) => Date.parse(a.state_changed_at) - Date.parse(b.state_changed_at))
    .map((booking) => {
      const since = new Date(booking.state_changed_at)
      const bay = freeBayOf(booking, facts)
      return {
        key: `here ${booking.id}`,
        about: 'bay',
        title: `${todaySentence('here', booking.customer_name)}${bay ? `, ${bay} is free` : ''}`,
        detail: `Arrived ${formatShopTime(since)}, scheduled for ${scheduledFor(booking, today)}`,
        wait: formatWaitingTime(since, instant),
        isUrgent: true,
        target: {
          kind: 'booking',
          id: booking.id,
          date: facts.also_here.includes(booking) ? dateOf(booking) : today,
        },
      }
    })
}

const dateOf = ({ starts_at }: TodaysBooking) => starts_at.slice(0, 10)

/** The scheduled time of a booking: '1:00 PM' for today, 'Friday, November 27 at 1:00 PM' for another day. */
function scheduledFor(booking: TodaysBooking, today: string): string {
  const time = formatTime(booking.starts_at.slice(11))
  const date = dateOf(booking)
  return date === today ? time : `${formatDayOfYear(date)} at ${time}`
}

/**
 * Returns the name of the vehicle's bay, if staff work on no other vehicle in this bay and no other vehicle is
 * scheduled for it now. Otherwise undefined.
 */
function freeBayOf(
  { id, bay_id }: TodaysBooking,
  { bays, bookings, also_here, now }: WaitingOnShopFacts,
) {
  const isBusy = [...bookings, ...also_here].some((other) => {
    if (other.bay_id !== bay_id || other.id === id) return false
    const state = vehicleState(other.vehicle_facts)
    const isItsTime = other.starts_at <= now && now < other.ends_at
    return isInWork(state) || (!hasLeft(state) && isItsTime)
  })
  return isBusy ? undefined : bays.find((bay) => bay.id === bay_id)?.name
}

function withoutBay(
  scheduleConflict: ScheduleConflict,
  { today, instant }: WaitingClock,
): WaitingItem {
  const {
    appointment_time: time,
    service_name: service,
    duration_minutes: minutes,
  } = scheduleConflict
  return {
    key: `bay ${scheduleConflict.booking_id}`,
    about: 'bay',
    title: `${scheduleConflict.customer_name} has no bay`,
    detail: `${service} at ${formatTime(time)}, ${formatLength(minutes)}`,
    wait: aheadOrSince(shopInstant(today, time), instant),
    isUrgent: false,
    target: { kind: 'booking', id: scheduleConflict.booking_id, date: today },
  }
}

function aheadOrSince(startsAt: Date, now: Date): string {
  return startsAt > now
    ? `in ${formatWaitingTime(startsAt, now)}`
    : `since ${formatShopTime(startsAt)}`
}

function unanswered(quote: Quote, { instant }: WaitingClock): WaitingItem {
  const service = quote.service_type && quoteServiceLabel(quote.service_type)
  return {
    key: `quote ${quote.id}`,
    about: 'quote',
    title: `${quote.name} asked for a quote`,
    detail: [vehicleName(quote), service].filter(Boolean).join(', '),
    wait: formatWaitingTime(new Date(quote.created_at), instant),
    isUrgent: false,
    target: { kind: 'quote', id: quote.id },
  }
}

const emailNames: Readonly<Record<string, string>> = {
  booking_confirmation: 'Confirmation',
  confirmation_request: 'Confirmation',
  quote_confirmation: 'Confirmation',
  booking_moved: 'Email about the new time',
  booking_cancelled: 'Email about the cancellation',
  quote_reply: 'Reply',
  invoice: 'Invoice',
  payment_request: 'Payment link',
  payment_receipt: 'Receipt',
  invoice_correction: 'Email about a refund or a void invoice',
}

function undelivered(email: UndeliveredEmail): WaitingItem {
  const recipient = email.recipient_name || email.recipient_email
  return {
    key: `letter ${email.id}`,
    about: 'email',
    title: `${emailNames[email.kind] ?? 'Email'} to ${recipient} failed`,
    detail: email.phone ? `Call ${email.phone}` : `To ${email.recipient_email}`,
    wait: 'failed',
    isUrgent: true,
    target: targetOf(email),
  }
}

function notNotified(
  { to_notify, undelivered_emails: undeliveredEmails }: WaitingOnShopFacts,
  { today }: WaitingClock,
): WaitingItem[] {
  const failed = new Set(undeliveredEmails.map((email) => email.booking_id))
  return to_notify
    .filter(({ id }) => !failed.has(id))
    .map((booking) => {
      const [date = '', time = ''] = booking.starts_at.split('T')
      const what = booking.is_cancelled ? 'Cancelled' : 'New time'
      return {
        key: `notify ${booking.id}`,
        about: 'email',
        title: `${notificationText(booking)}: ${booking.customer_name}`,
        detail: `${what}: ${formatDayOfYear(date)} at ${formatTime(time)}`,
        wait: nearDay(date, today),
        isUrgent: true,
        target: { kind: 'booking', id: booking.id, date },
      }
    })
}

function targetOf({
  booking_id,
  appointment_date,
  quote_request_id,
}: UndeliveredEmail): WaitingItem['target'] {
  if (booking_id && appointment_date) {
    return { kind: 'booking', id: booking_id, date: appointment_date }
  }
  return quote_request_id ? { kind: 'quote', id: quote_request_id } : { kind: 'outbox' }
}

const scheduleConflictText = {
  no_bay: { one: 'has no bay', many: 'have no bay', todo: ['Assign a bay', 'Assign bays'] },
  outside_hours: {
    one: 'is booked outside business hours',
    many: 'are outside business hours',
    todo: ['Move the appointment or keep it as is', 'Move the appointments or keep them as is'],
  },
} as const

/**
 * Returns one line for each date and kind of schedule conflict, because the conflicts of a date usually have the same
 * cause.
 */
function datesAhead(
  conflicts: readonly ScheduleConflict[],
  { today }: WaitingClock,
): WaitingItem[] {
  const groups = Map.groupBy(
    conflicts,
    ({ appointment_date, problem }) => `${appointment_date} ${problem}`,
  )
  return [...groups].flatMap(([key, group]) => {
    const [first] = group
    if (!first) return []
    const date = first.appointment_date
    const texts = group.length === 1 ? formatOne(first) : formatMany(first, group.length)
    return Object.assign(texts, {
      key,
      about: 'date' as const,
      wait: nearDay(date, today),
      isUrgent: false,
    })
  })
}

type ConflictText = Pick<WaitingItem, 'title' | 'detail' | 'target'>

function formatOne(scheduleConflict: ScheduleConflict): ConflictText {
  const { booking_id: id, appointment_date: date, appointment_time: time } = scheduleConflict
  const { one, todo } = scheduleConflictText[scheduleConflict.problem]
  return {
    title: `${scheduleConflict.customer_name} ${one}`,
    detail: `${scheduleConflict.service_name}, ${formatDayOfYear(date)} at ${formatTime(time)}. ${todo[0]}`,
    target: { kind: 'booking', id, date },
  }
}

function formatMany(
  { appointment_date: date, problem }: ScheduleConflict,
  count: number,
): ConflictText {
  const { many, todo } = scheduleConflictText[problem]
  return {
    title: `${count} appointments ${many}`,
    detail: `${formatDayOfYear(date)}. ${todo[1]}`,
    target: { kind: 'day', date },
  }
}
