import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { formatKnownVehicle } from '#domain/customers/vehicle-make.ts'
import { type CalendarMethod, renderCalendarFile } from './calendar-file.ts'
import { type EmailPart, layOutEmail } from '#emails/layout/email-layout.ts'
import { greetUnverified, oneUntrustedLine } from '#emails/layout/untrusted-text.ts'
import type { Confirmation, EmailAttachment, RenderedEmail } from '#emails/layout/shop-email.ts'
import { typedFacts, type TypedDetails } from '#emails/layout/submitted-details.ts'
import { bookingDetails } from './booking-details.ts'

/** A booking with its service, as stored. */
export type BookingRecord = TypedDetails & {
  readonly id: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  readonly customerName: string
  readonly customerEmail: string
  /** What looked automated about the request; empty for an ordinary one. */
  readonly flaggedReasons: readonly string[]
  /** ISO 8601: until when it waits to be confirmed by its e-mail; null when it stands. */
  readonly heldUntil: string | null
  /** bookings.calendar_sequence */
  readonly calendarSequence: number
}

/**
 * The confirmation of a booking, with the appointment as a calendar file. Anybody may book under somebody
 * else's address: the email says what the shop knows, and repeats what was typed only where it cannot carry a message,
 * so that nobody can make the shop send words to strangers. The email of a flagged booking repeats nothing.
 * `visitUrl` is the appointment's private page, where one can be named.
 */
export function writeBookingConfirmation(
  shop: Shop,
  booking: BookingRecord,
  visitUrl?: string,
): Confirmation {
  const { id: bookingId, date, time } = booking
  return {
    kind: 'booking_confirmation',
    dedupeKey: `booking:${bookingId}`,
    to: { email: booking.customerEmail, name: givenName(recipientOf(booking).name) },
    ...renderBookingConfirmation(shop, booking, visitUrl),
    attachments: [attachCalendar(shop, { ...booking, visitUrl }, 'REQUEST')],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}

function renderBookingConfirmation(
  shop: Shop,
  booking: BookingRecord,
  visitUrl: string | undefined,
): RenderedEmail {
  const date = formatLongDate(booking.date)
  const time = formatTime(booking.time)
  const service = oneUntrustedLine(booking.serviceName)
  const { name } = recipientOf(booking)
  return layOutEmail(shop, {
    subject: `Appointment confirmed: ${service}, ${date} at ${time}`,
    preview: `${service} on ${date} at ${time}, shop time.`,
    heading: 'Your appointment is confirmed',
    parts: [
      { kind: 'paragraph', text: greetUnverified(name) },
      { kind: 'paragraph', text: `We look forward to seeing you and your car at ${shop.name}.` },
      bookingDetails(shop, booking, detailsOf(booking, visitUrl)),
      ...visitPageButton(visitUrl),
      {
        kind: 'paragraph',
        text: `Need another time, or to cancel? Please ${visitUrl === undefined ? '' : 'open your appointment page, or '}call ${shop.phone.display}. The attached file adds the appointment to your calendar.`,
      },
    ],
    reason:
      "You're receiving this email because this address was given for an appointment. If it was not you, please call us and we will cancel it.",
  })
}

/** What was typed; without a link to its page, where the rest can be read, the vehicle in our own words alone. */
function detailsOf(booking: BookingRecord, visitUrl: string | undefined) {
  if (booking.flaggedReasons.length > 0) return []
  return visitUrl === undefined ? vehicleDetail(recipientOf(booking).vehicle) : typedFacts(booking)
}

/** The vehicle in our own words, where it is known. */
export function vehicleDetail(vehicle: string): (readonly [string, string])[] {
  return vehicle === '' ? [] : [['Vehicle', vehicle]]
}

/**
 * The appointment's calendar file as a letter carries it. REQUEST from the first letter on: Google's calendar takes out
 * only what came to it as a request. Its attendee has said yes already and is asked nothing.
 */
export function attachCalendar(
  shop: Shop,
  booking: BookingRecord & { readonly visitUrl?: string | undefined },
  method: CalendarMethod,
): EmailAttachment {
  const { id: bookingId, ...rest } = booking
  const { vehicle } = recipientOf(booking)
  const writtenAt = new Date()
  const change = { method, sequence: booking.calendarSequence, attendee: booking.customerEmail }
  const file = renderCalendarFile(shop, { ...rest, bookingId, writtenAt, vehicle }, change)
  return {
    filename: 'appointment.ics',
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: new TextEncoder().encode(file),
  }
}

/** Leads to the appointment's private page, where its address is known. */
export function visitPageButton(url: string | undefined): EmailPart[] {
  return url === undefined
    ? []
    : [{ kind: 'button', label: 'View or change your appointment', url }]
}

/** What the letter may say of the customer. */
export function recipientOf(booking: BookingRecord): { name: string; vehicle: string } {
  const { customerName, vehicleYear, vehicleMake, flaggedReasons } = booking
  return flaggedReasons.length > 0
    ? { name: '', vehicle: '' }
    : { name: customerName, vehicle: formatKnownVehicle(vehicleYear, vehicleMake) }
}
