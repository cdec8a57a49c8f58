import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import {
  attachCalendar,
  type BookingRecord,
  recipientOf,
  visitPageButton,
} from './booking-confirmation.ts'
import { type EmailPart, layOutEmail } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { greetUnverified } from '#emails/layout/recipient.ts'
import type { Confirmation, RenderedEmail } from '#emails/layout/shop-email.ts'
import { bookingDetails } from './booking-details.ts'

/** A changed booking with the link to its visit page. */
export type ChangedBooking = BookingRecord & {
  readonly visitUrl?: string
  /** The version of the booking. Each change of the booking increments the version. */
  readonly version: number
  /** The start that the customer's last notification stated: 'yyyy-MM-ddTHH:mm:ss', shop time. */
  readonly notifiedStartsAt: string
  /** Whether the customer can undo the cancellation on the visit page. */
  readonly canRestore: boolean
  /** Whether the booking has an invoice; cancelling the booking does not void the invoice. */
  readonly hasInvoice: boolean
  /** The URL for booking another appointment; undefined while online booking is paused. */
  readonly bookUrl: string | undefined
}

/**
 * Notifies the customer of the new time of an appointment. The attached calendar file moves the event in the
 * customer's calendar.
 */
export function writeBookingMoved(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = bookingTexts(booking)
  return {
    ...changeOf(shop, booking, 'moved'),
    kind: 'booking_moved',
    ...layOutChange(shop, booking, {
      subject: `New time: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start}, shop time.`,
      heading: 'Your appointment has a new time',
      text: `We look forward to seeing you and your car at ${shop.name}. The attached file moves the appointment in your calendar.`,
      ending: [
        ...visitPageButton(booking.visitUrl),
        paragraph(
          `Does this time not work for you? Please ${booking.visitUrl === undefined ? '' : 'open your appointment page, or '}call ${shop.phone.display}.`,
        ),
      ],
    }),
  }
}

/**
 * Notifies the customer that the service of an appointment has changed. The attached calendar file changes the event in
 * the customer's calendar.
 */
export function writeBookingEdited(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = bookingTexts(booking)
  return {
    ...changeOf(shop, booking, 'moved'),
    // The deduplication key contains the version of the booking. The calendar sequence is unsuitable, because it stays
    // the same when the new service has the same duration.
    dedupeKey: `booking:${booking.id}:edited:${booking.version}`,
    kind: 'booking_moved',
    ...layOutChange(shop, booking, {
      subject: `Changed: ${service}, ${day} at ${start}`,
      preview: `Your appointment on ${day} at ${start} is now for ${service}.`,
      heading: 'Your appointment has changed',
      text: `Your appointment is now for the service below. We look forward to seeing you and your car at ${shop.name}. The attached file changes the appointment in your calendar.`,
      ending: [
        ...visitPageButton(booking.visitUrl),
        paragraph(`Is something not right? Please call ${shop.phone.display}.`),
      ],
    }),
  }
}

/**
 * Notifies the customer that an appointment was cancelled. The attached calendar file removes the event from the
 * customer's calendar.
 */
export function writeBookingCancelled(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = bookingTexts(booking)
  return {
    ...changeOf(shop, booking, 'cancelled'),
    kind: 'booking_cancelled',
    ...layOutChange(shop, booking, {
      subject: `Cancelled: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start} is cancelled.`,
      heading: 'Your appointment is cancelled',
      text: booking.hasInvoice
        ? 'The appointment below is cancelled.'
        : 'The appointment below is cancelled. There is no charge.',
      ending: waysOn(shop, booking),
    }),
  }
}

/**
 * Notifies the customer that a cancelled appointment was restored. The attached calendar file adds the event to the
 * customer's calendar again.
 */
export function writeBookingRestored(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = bookingTexts(booking)
  return {
    ...changeOf(shop, booking, 'restored'),
    kind: 'booking_moved',
    ...layOutChange(shop, booking, {
      subject: `Appointment restored: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start}, shop time.`,
      heading: 'Your appointment is restored',
      text: `We look forward to seeing you and your car at ${shop.name}. The attached file restores the appointment in your calendar.`,
      ending: [
        ...visitPageButton(booking.visitUrl),
        paragraph(`Questions? Please call ${shop.phone.display}.`),
      ],
    }),
  }
}

/**
 * Returns the customer's options after a cancellation: undo the cancellation on the visit page, book another time, or
 * call.
 */
function waysOn(shop: Shop, { visitUrl, canRestore, bookUrl }: ChangedBooking): EmailPart[] {
  const restoreParts: EmailPart[] =
    canRestore && visitUrl !== undefined
      ? [
          paragraph(
            'Was this a mistake? You can restore the appointment on its page as long as the time is still available.',
          ),
          { kind: 'button', label: 'View your cancelled appointment', url: visitUrl },
        ]
      : []
  const bookAnother: EmailPart[] =
    bookUrl === undefined ? [] : [{ kind: 'button', label: 'Book another time', url: bookUrl }]
  return [
    ...restoreParts,
    ...bookAnother,
    paragraph(`Questions? Please call ${shop.phone.display}.`),
  ]
}

const paragraph = (text: string): EmailPart => ({ kind: 'paragraph', text })

function changeOf(shop: Shop, booking: ChangedBooking, about: 'moved' | 'cancelled' | 'restored') {
  const { id: bookingId, calendarSequence: sequence, date, time } = booking
  const method = about === 'cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    dedupeKey: `booking:${bookingId}:${about}:${sequence}`,
    to: { email: booking.customerEmail, name: givenName(recipientOf(booking).name) },
    attachments: [attachCalendar(shop, booking, method)],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}

type ChangeText = {
  readonly subject: string
  readonly preview: string
  readonly heading: string
  readonly text: string
  readonly ending: readonly EmailPart[]
}

function layOutChange(shop: Shop, booking: ChangedBooking, content: ChangeText): RenderedEmail {
  return layOutEmail(shop, {
    subject: content.subject,
    preview: content.preview,
    heading: content.heading,
    parts: [
      paragraph(greetUnverified(recipientOf(booking).name)),
      paragraph(content.text),
      bookingDetails(shop, booking, oldTime(booking)),
      ...content.ending,
    ],
    reason:
      "You're receiving this email because this address was given for an appointment. If it was not you, please call us.",
  })
}

function bookingTexts({ serviceName, date, time }: BookingRecord) {
  return {
    service: oneUntrustedLine(serviceName),
    day: formatLongDate(date),
    start: formatTime(time),
  }
}

/** Returns the start that the customer's last notification stated, if it differs from the current start. */
function oldTime({
  date,
  time,
  notifiedStartsAt,
}: ChangedBooking): [label: string, value: string][] {
  if (notifiedStartsAt === `${date}T${time}`) return []
  const [notifiedDate = '', notifiedTime = ''] = notifiedStartsAt.split('T')
  return [['Old time', `${formatLongDate(notifiedDate)} at ${formatTime(notifiedTime)}`]]
}
