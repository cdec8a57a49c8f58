import { shopInstant } from '#domain/calendar/shop-time.ts'
import { addressLine, type Shop } from '#domain/shop/shop.ts'
import type { Sender } from '#emails/delivery/sender.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

export type CalendarAppointment = {
  readonly bookingId: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  /** The vehicle as '2019 Subaru Outback', or '' when the vehicle is unknown. */
  readonly vehicle: string
  /** The link to the visit page; undefined without a link. */
  readonly visitUrl?: string | undefined
  /** The time at which the server writes the calendar file. */
  readonly writtenAt: Date
  /** The version of the calendar event (SEQUENCE in RFC 5545): bookings.calendar_sequence; 0 by default. */
  readonly sequence?: number
}

/**
 * The effect of the file on the attendee's calendar (RFC 5546, sections 3.2.2 and 3.2.5): REQUEST adds or moves the
 * event, CANCEL removes the event.
 */
export type CalendarMethod = 'REQUEST' | 'CANCEL'

/**
 * A change of an event in the attendee's calendar. The calendar program applies the change only when the sender is the
 * organizer and the sequence is higher than the sequence of the stored event.
 */
type CalendarChange = {
  readonly method: CalendarMethod
  /** The version of the calendar event (SEQUENCE in RFC 5545): bookings.calendar_sequence. */
  readonly sequence: number
  /** The customer's email address. */
  readonly attendee: string
}

/** One event of a calendar; its texts are not escaped yet. */
export type CalendarEvent = {
  readonly bookingId: string
  readonly sequence: number
  /**
   * The DTSTAMP (RFC 5545, section 3.8.7.2): with a METHOD, the time at which the file was written; without a METHOD,
   * the time of the event's last change.
   */
  readonly stamp: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly summary: string
  readonly description: string
  readonly url?: string | undefined
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  /** The customer's email address; set only if the customer's calendar program should process the event. */
  readonly attendee?: string
  /** Additional lines of the event, such as its alarms. */
  readonly more?: readonly string[]
}

/**
 * Renders events in the iCalendar format (RFC 5545). Times are in UTC, so that the file needs no time zone definition,
 * and a phone in another time zone shows the reminder at the right moment. METHOD precedes the events, as RFC 5546
 * requires.
 */
export function renderCalendar(
  shop: Shop,
  method: 'PUBLISH' | CalendarMethod | undefined,
  events: readonly CalendarEvent[],
  more: readonly string[] = [],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escapeText(`-//${shop.name}//Appointments//EN`)}`,
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    ...more,
    ...events.flatMap((event) => eventLines(shop, event)),
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

function eventLines(shop: Shop, event: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    // The UID must not change while the appointment exists, so it does not contain the shop's name (RFC 7986, section
    // 5.3).
    `UID:booking-${event.bookingId}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utc(event.stamp)}`,
    `DTSTART:${utc(event.startsAt)}`,
    `DTEND:${utc(event.endsAt)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    ...(event.url === undefined ? [] : [`URL:${event.url}`]),
    `LOCATION:${escapeText(`${shop.name}, ${addressLine(shop)}`)}`,
    ...(shop.position ? [`GEO:${shop.position.latitude};${shop.position.longitude}`] : []),
    organizerLine({ name: shop.name, address: shop.bookingEmail }),
    ...(event.attendee === undefined ? [] : [attendeeLine(event.attendee)]),
    `STATUS:${event.status}`,
    'TRANSP:OPAQUE',
    ...(event.more ?? []),
    'END:VEVENT',
  ]
}

/**
 * Renders the calendar file of an appointment for its customer. Without `change` the METHOD is PUBLISH (RFC 5546,
 * section 3.2.1) instead of REQUEST, because the file then has no attendee.
 */
export function renderCalendarFile(
  shop: Shop,
  appointment: CalendarAppointment,
  change?: CalendarChange,
): string {
  const { visitUrl, writtenAt } = appointment
  const startsAt = shopInstant(appointment.date, appointment.time, shop.timeZone)
  const service = oneUntrustedLine(appointment.serviceName)
  const summary = `${service} at ${shop.name}`
  const description = [
    `${summary}.`,
    ...(appointment.vehicle ? [`Vehicle: ${oneUntrustedLine(appointment.vehicle)}`] : []),
    ...(visitUrl === undefined ? [] : [`View or change your appointment: ${visitUrl}`]),
    `To change or cancel the appointment, call ${shop.phone.display}.`,
  ].join('\n')
  const event: CalendarEvent = {
    bookingId: appointment.bookingId,
    sequence: change?.sequence ?? appointment.sequence ?? 0,
    stamp: writtenAt,
    startsAt,
    endsAt: endOf(startsAt, appointment.durationMinutes),
    summary,
    description,
    url: visitUrl,
    status: change?.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED',
    ...(change && { attendee: change.attendee }),
    // A cancelled event has no alarm (RFC 5546, section 3.2.5).
    more: change?.method === 'CANCEL' ? [] : alarmLines(summary),
  }
  return renderCalendar(shop, change?.method ?? 'PUBLISH', [event])
}

function alarmLines(summary: string): string[] {
  return [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT2H',
    `DESCRIPTION:${escapeText(summary)}`,
    'END:VALARM',
  ]
}

/** Returns the instant at which an appointment ends that starts at `startsAt` and lasts `minutes`. */
export function endOf(startsAt: Date, minutes: number): Date {
  return new Date(startsAt.getTime() + minutes * 60_000)
}

function organizerLine({ name, address }: Sender): string {
  return `ORGANIZER;CN="${name.replaceAll('"', "'")}":mailto:${address}`
}

/**
 * Completes a stored calendar file when its email is sent. Sets the organizer to the sender of the email, because
 * calendar programs accept changes only from the organizer of the event. Replaces the link to the visit page by the
 * link in the email's text (docs/product.md 14.5).
 */
export function asSent(file: string, sender: Sender, text: string): string {
  const live = text.match(visitLinks) ?? []
  const lines = file.replaceAll('\r\n ', '').split('\r\n')
  return lines
    .map((line) => (line.startsWith('ORGANIZER;') ? organizerLine(sender) : line))
    .map((line) => line.replaceAll(visitLinks, (link) => live.find(isOfSame(link)) ?? link))
    .map(fold)
    .join('\r\n')
}

/**
 * Matches the paths of visit pages (docs/product.md 14.1): the id of the appointment, followed by the signature of
 * the link.
 */
const visitLinks = /\/visit\/[\w-]{43}(?![\w-])/g

function isOfSame(link: string) {
  const idOf = (path: string) => path.slice(0, '/visit/'.length + 21)
  return (other: string) => idOf(other) === idOf(link)
}

/**
 * Returns the line of the attendee, marked as accepted so that no mail program asks for a response. If the email
 * address contains characters that could end the line, a placeholder replaces the address.
 */
function attendeeLine(address: string): string {
  const named = /^[^\s;:,"\\<>]+@[^\s;:,"\\<>]+$/.test(address) ? address : 'unknown@invalid'
  return `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${named}`
}

/** Returns an instant in the iCalendar format: '20261128T213000Z'. */
export function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Escapes a text as a TEXT value of iCalendar (RFC 5545, section 3.3.11). */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
}

/** Folds lines to at most 75 octets each without splitting a character (RFC 5545, section 3.1). */
function fold(line: string): string {
  const folded: string[] = []
  let current = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > 75) {
      folded.push(current)
      // A continuation line starts with a space, which counts toward the 75 octets.
      current = ' '
      octets = 1
    }
    current += character
    octets += size
  }
  return [...folded, current].join('\r\n')
}

/**
 * Counts the octets of a character in UTF-8. The function creates no buffer, because a calendar of a thousand events
 * has half a million characters.
 */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
