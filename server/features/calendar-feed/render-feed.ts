import { shopInstant } from '#domain/calendar/shop-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { type ColoredVehicle, vehicleLine } from '#domain/customers/vehicle.ts'
import {
  type CalendarEvent,
  endOf,
  escapeText,
  renderCalendar,
  utc,
} from '#emails/bookings/calendar-file.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

/** The data of an appointment that the owner's calendar shows. */
export type FeedAppointment = ColoredVehicle & {
  readonly id: string
  readonly serviceName: string
  /** The date 'yyyy-MM-dd' and the time 'HH:mm:ss' of the appointment, in shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  readonly customerName: string
  readonly customerPhone: string
  /** The note that the customer wrote; `internalNote` is the note for staff. */
  readonly notes: string | null
  readonly internalNote: string | null
  /** The name of the bay; null when the booking has no bay. */
  readonly bayName: string | null
  /** Whether the booking is held: the customer has not confirmed it by email yet. */
  readonly isHeld: boolean
  readonly sequence: number
  /** The time of the last change of the booking, in ISO 8601. */
  readonly changedAt: string
}

/**
 * The properties of the feed that ask calendar programs to refresh the feed every 15 minutes (RFC 7986, section 5.7).
 */
const calendarLines = ['REFRESH-INTERVAL;VALUE=DURATION:PT15M', 'X-PUBLISHED-TTL:PT15M']

/**
 * Renders all upcoming appointments as an iCalendar file for the owner. The file has no METHOD property, so that
 * calendar programs do not treat the appointments as invitations.
 */
export function renderFeed(shop: Shop, appointments: readonly FeedAppointment[]): string {
  const name = escapeText(`${shop.name}, appointments`)
  const events = appointments.map((appointment) => eventOf(shop, appointment))
  return renderCalendar(shop, undefined, events, [`X-WR-CALNAME:${name}`, ...calendarLines])
}

function eventOf(shop: Shop, appointment: FeedAppointment): CalendarEvent {
  const { id, date, time, durationMinutes, customerName, serviceName, isHeld } = appointment
  const startsAt = shopInstant(date, time, shop.timeZone)
  const changedAt = new Date(appointment.changedAt)
  return {
    bookingId: id,
    sequence: appointment.sequence,
    stamp: changedAt,
    startsAt,
    endsAt: endOf(startsAt, durationMinutes),
    summary: `${oneUntrustedLine(customerName)}, ${oneUntrustedLine(serviceName)}`,
    description: detailsOf(appointment)
      .map((line) => oneUntrustedLine(line))
      .join('\n'),
    status: isHeld ? 'TENTATIVE' : 'CONFIRMED',
    more: [`LAST-MODIFIED:${utc(changedAt)}`],
  }
}

function detailsOf(appointment: FeedAppointment): string[] {
  const { customerPhone, bayName, notes, internalNote } = appointment
  const vehicle = vehicleLine(appointment)
  return [
    bayName ?? 'No bay assigned',
    ...(vehicle ? [vehicle] : []),
    customerPhone,
    ...(notes ? [`Customer's note: ${notes}`] : []),
    ...(internalNote ? [`Note: ${internalNote}`] : []),
  ]
}
