import { shopInstant } from '#domain/shop-time.ts'
import { addressLine, type Shop } from '#domain/shop.ts'
import { oneLine } from './foreign-text.ts'

export type CalendarAppointment = {
  readonly bookingId: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  /** '2019 Subaru Outback', may be empty. */
  readonly vehicle: string
  /** When the booking was made, ISO 8601: the file of a booking is always the same. */
  readonly bookedAt: string
  /** bookings.calendar_sequence; 0 unless it is given. */
  readonly sequence?: number
}

/**
 * A file that changes one sent before (RFC 5546, sections 3.2.2 and 3.2.5): REQUEST moves the appointment, CANCEL takes
 * it out. Calendars act on it for its attendee, and only when its sequence is higher than the one they have.
 */
export type CalendarChange = {
  readonly method: 'REQUEST' | 'CANCEL'
  /** bookings.calendar_sequence */
  readonly sequence: number
  /** The customer's address. */
  readonly attendee: string
}

/**
 * The appointment as an iCalendar file (RFC 5545). Times are UTC instants: no zone definition that a
 * calendar could misread, and a phone in another zone still rings at the right moment.
 *
 * METHOD:PUBLISH (RFC 5546, section 3.2.1), not REQUEST, where it is not a `change`: the customer is not asked to accept,
 * and nobody at the shop reads the replies that a calendar would send.
 */
export function renderCalendarFile(
  shop: Shop,
  appointment: CalendarAppointment,
  change?: CalendarChange,
): string {
  const startsAt = shopInstant(appointment.date, appointment.time, shop.timeZone)
  const endsAt = new Date(startsAt.getTime() + appointment.durationMinutes * 60_000)
  const service = oneLine(appointment.serviceName)
  const description = [
    `${service} at ${shop.name}.`,
    ...(appointment.vehicle ? [`Vehicle: ${oneLine(appointment.vehicle)}`] : []),
    `To change or cancel, call ${shop.phone.display}.`,
  ].join('\n')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escape(`-//${shop.name}//Appointments//EN`)}`,
    'CALSCALE:GREGORIAN',
    `METHOD:${change?.method ?? 'PUBLISH'}`,
    'BEGIN:VEVENT',
    // For the life of the appointment, whatever the shop is called by then (RFC 7986, section 5.3).
    `UID:booking-${appointment.bookingId}`,
    `SEQUENCE:${change?.sequence ?? appointment.sequence ?? 0}`,
    `DTSTAMP:${utc(new Date(appointment.bookedAt))}`,
    `DTSTART:${utc(startsAt)}`,
    `DTEND:${utc(endsAt)}`,
    `SUMMARY:${escape(`${service} at ${shop.name}`)}`,
    `DESCRIPTION:${escape(description)}`,
    `LOCATION:${escape(`${shop.name}, ${addressLine(shop)}`)}`,
    `GEO:${shop.position.latitude};${shop.position.longitude}`,
    `ORGANIZER;CN="${shop.name.replaceAll('"', "'")}":mailto:${shop.bookingEmail}`,
    ...(change ? [attendeeLine(change.attendee)] : []),
    `STATUS:${change?.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT2H',
    `DESCRIPTION:${escape(`${service} at ${shop.name}`)}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

/** Who has said yes and is asked nothing; an address that could leave its line names nobody. */
function attendeeLine(address: string): string {
  const named = /^[^\s;:,"\\<>]+@[^\s;:,"\\<>]+$/.test(address) ? address : 'unknown@invalid'
  return `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${named}`
}

/** '20261128T213000Z' */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** A TEXT value (RFC 5545, section 3.3.11). */
function escape(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
}

/** Lines of at most 75 octets, never cut inside a character (RFC 5545, section 3.1). */
function fold(line: string): string {
  const encoder = new TextEncoder()
  const folded: string[] = []
  let current = ''
  let octets = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > 75) {
      folded.push(current)
      // A continuation starts with a space, which counts.
      current = ' '
      octets = 1
    }
    current += character
    octets += size
  }
  return [...folded, current].join('\r\n')
}
