import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { givenName } from '#domain/given-name.ts'
import type { Shop } from '#domain/shop.ts'
import {
  attachCalendar,
  type BookingRecord,
  personOf,
  visitButton,
} from './booking-confirmation.ts'
import { layOut } from './email-layout.ts'
import { greetingOfStranger, oneLine } from './foreign-text.ts'
import type { Confirmation, RenderedEmail } from './shop-email.ts'
import { visitFacts } from './visit-facts.ts'

/** A booking that was changed, with its private page. */
export type ChangedBooking = BookingRecord & { readonly visitUrl?: string }

/** Tells the customer the new time; the calendar file moves the appointment that they have. */
export function writeBookingMoved(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = wordsOf(booking)
  return {
    ...changeOf(shop, booking, 'moved'),
    kind: 'booking_moved',
    ...layOutChange(shop, booking, {
      subject: `New time: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start}, shop time.`,
      heading: 'Your appointment has a new time',
      words: `We look forward to seeing you and your car at ${shop.name}. The attached file moves the appointment in your calendar.`,
      close: `Does this time not suit you? Please ${booking.visitUrl === undefined ? '' : 'open your visit, or '}call ${shop.phone.display}.`,
    }),
  }
}

/** Tells the customer that the appointment is off; the calendar file takes it out of their calendar. */
export function writeBookingCancelled(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = wordsOf(booking)
  return {
    ...changeOf(shop, booking, 'cancelled'),
    kind: 'booking_cancelled',
    ...layOutChange(shop, booking, {
      subject: `Cancelled: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start} does not take place.`,
      heading: 'Your appointment is cancelled',
      words: 'The appointment below does not take place. There is no charge.',
      close: `Another time, or is this a mistake? Please call ${shop.phone.display}.`,
    }),
  }
}

/** Tells the customer that an appointment which was cancelled stands again; the calendar file brings it back. */
export function writeBookingRestored(shop: Shop, booking: ChangedBooking): Confirmation {
  const { service, day, start } = wordsOf(booking)
  return {
    ...changeOf(shop, booking, 'restored'),
    kind: 'booking_moved',
    ...layOutChange(shop, booking, {
      subject: `It stands again: ${service}, ${day} at ${start}`,
      preview: `${service} on ${day} at ${start}, shop time.`,
      heading: 'Your appointment stands again',
      words: `We look forward to seeing you and your car at ${shop.name}. The attached file brings the appointment back into your calendar.`,
      close: `Questions? Please call ${shop.phone.display}.`,
    }),
  }
}

function changeOf(shop: Shop, booking: ChangedBooking, about: 'moved' | 'cancelled' | 'restored') {
  const { id: bookingId, calendarSequence: sequence, date, time } = booking
  const method = about === 'cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    dedupeKey: `booking:${bookingId}:${about}:${sequence}`,
    to: { email: booking.customerEmail, name: givenName(personOf(booking).name) },
    attachments: [attachCalendar(shop, booking, method)],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}

type Words = {
  readonly subject: string
  readonly preview: string
  readonly heading: string
  readonly words: string
  readonly close: string
}

function layOutChange(shop: Shop, booking: ChangedBooking, words: Words): RenderedEmail {
  return layOut(shop, {
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    parts: [
      { kind: 'paragraph', text: greetingOfStranger(personOf(booking).name) },
      { kind: 'paragraph', text: words.words },
      visitFacts(shop, booking),
      ...visitButton(booking.visitUrl),
      { kind: 'paragraph', text: words.close },
    ],
    reason:
      'You receive this message because this address was given for an appointment. If it was not you, please call us.',
  })
}

function wordsOf({ serviceName, date, time }: BookingRecord) {
  return { service: oneLine(serviceName), day: formatLongDate(date), start: formatTime(time) }
}
