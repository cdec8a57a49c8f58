import { dayNames, formatLongDate, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { ChangedBooking } from './booking-change.ts'
import { recipientOf, vehicleDetail, visitPageButton } from './booking-confirmation.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { greetUnverified } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { bookingDetails } from './booking-details.ts'

/**
 * Reminds the customer on the day before the appointment, with a link to the page for confirming, moving or cancelling
 * the appointment. Opening the link changes nothing. The shop sends one reminder for each start time of the
 * appointment.
 */
export function writeBookingReminder(
  shop: Shop,
  booking: ChangedBooking & { readonly hasConfirmedAttendance: boolean },
): ShopEmail {
  const { id: bookingId, date, time, calendarSequence, visitUrl } = booking
  const service = oneUntrustedLine(booking.serviceName)
  const start = formatTime(time)
  const { name, vehicle } = recipientOf(booking)
  // The subject names the weekday instead of 'tomorrow', so that the subject is still correct when the mail server
  // delivers the email late.
  const expected = `Reminder: ${dayNames[weekdayOf(date)]} at ${start}`
  return {
    kind: 'booking_reminder',
    dedupeKey: `booking:${bookingId}:reminder:${calendarSequence}`,
    to: { email: booking.customerEmail, name: givenName(name) },
    ...layOutEmail(shop, {
      subject: `Reminder: ${service}, ${formatLongDate(date)} at ${start}`,
      preview: `${expected}, shop time.`,
      heading: expected,
      parts: [
        { kind: 'paragraph', text: greetUnverified(name) },
        bookingDetails(shop, booking, vehicleDetail(vehicle)),
        {
          kind: 'paragraph',
          text: booking.hasConfirmedAttendance
            ? 'Thank you for letting us know that you will come.'
            : 'Can you make it? Let us know with one tap.',
        },
        ...visitPageButton(visitUrl),
        {
          kind: 'paragraph',
          text: `Something came up? Change or cancel the appointment on its page, or call ${shop.phone.display}.`,
        },
      ],
      reason:
        "You're receiving this email because this address was given for an appointment. If it was not you, please call us and we will cancel it.",
    }),
    attachments: [],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}
