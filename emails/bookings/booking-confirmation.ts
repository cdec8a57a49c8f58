import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { formatKnownVehicle } from '#domain/customers/vehicle-make.ts'
import { type CalendarMethod, renderCalendarFile } from './calendar-file.ts'
import { type EmailPart, layOutEmail } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { greetUnverified } from '#emails/layout/recipient.ts'
import type { Confirmation, EmailAttachment, RenderedEmail } from '#emails/layout/shop-email.ts'
import { typedFacts, type TypedDetails } from '#emails/layout/submitted-details.ts'
import { bookingDetails } from './booking-details.ts'

/** A booking and its service, as stored in the database. */
export type BookingRecord = TypedDetails & {
  readonly id: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  readonly customerName: string
  readonly customerEmail: string
  /** The signs that an automated program submitted the form; empty for an ordinary booking. */
  readonly flaggedReasons: readonly string[]
  /**
   * The time (ISO 8601) at which the booking expires unless the customer confirms it by email; null for a booking that
   * needs no confirmation.
   */
  readonly heldUntil: string | null
  /** The version of the calendar event (SEQUENCE in RFC 5545): bookings.calendar_sequence. */
  readonly calendarSequence: number
}

/**
 * Writes the confirmation of a booking, with a calendar file of the appointment. A visitor can book with someone else's
 * email address. The email therefore contains the shop's own texts, and repeats text of the visitor only where that
 * text cannot contain a message. The email of a booking that looks automated repeats no text of the visitor. `visitUrl`
 * is the link to the visit page; undefined without a link.
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

/**
 * Returns the visitor's details that the email repeats; without a link to the visit page, only the vehicle in the
 * shop's own spelling.
 */
function detailsOf(booking: BookingRecord, visitUrl: string | undefined) {
  if (booking.flaggedReasons.length > 0) return []
  return visitUrl === undefined ? vehicleDetail(recipientOf(booking).vehicle) : typedFacts(booking)
}

/** Returns the vehicle in the shop's own spelling; an empty list when year or make are unknown. */
export function vehicleDetail(vehicle: string): (readonly [string, string])[] {
  return vehicle === '' ? [] : [['Vehicle', vehicle]]
}

/**
 * Attaches the calendar file of an appointment. Every email uses METHOD REQUEST, because Google Calendar only removes
 * events that it received as a request. The file marks the attendee as accepted, so that mail programs do not ask the
 * customer for a response.
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

/** Returns the button that links to the visit page; an empty list when there is no link. */
export function visitPageButton(url: string | undefined): EmailPart[] {
  return url === undefined
    ? []
    : [{ kind: 'button', label: 'View or change your appointment', url }]
}

/** Returns the customer's name and the vehicle's year and make; both are empty for a booking that looks automated. */
export function recipientOf(booking: BookingRecord): { name: string; vehicle: string } {
  const { customerName, vehicleYear, vehicleMake, flaggedReasons } = booking
  return flaggedReasons.length > 0
    ? { name: '', vehicle: '' }
    : { name: customerName, vehicle: formatKnownVehicle(vehicleYear, vehicleMake) }
}
