import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { formatShopTime, shopZoneName } from '#domain/calendar/shop-time.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import { bookingDetails } from './booking-details.ts'

/**
 * A booking on hold, which expires unless the customer confirms it by email. The email address is the only field of
 * this type that contains text of a visitor.
 */
export type HeldBooking = {
  readonly id: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly customerEmail: string
  /** The time (ISO 8601) at which the unconfirmed booking expires. */
  readonly heldUntil: string
}

/**
 * Writes the email that asks the customer to confirm a booking on the visit page before the booking expires. The email
 * address may belong to someone who did not book, because a program can have filled in the form. The email therefore
 * contains only the shop's own texts and no name.
 */
export function writeConfirmationRequest(
  shop: Shop,
  booking: HeldBooking,
  visitUrl: string,
): Confirmation {
  const { id: bookingId, serviceName, date, time } = booking
  const day = formatLongDate(date)
  const start = formatTime(time)
  const until = formatShopTime(new Date(booking.heldUntil))
  return {
    kind: 'confirmation_request',
    dedupeKey: `booking:${bookingId}:request`,
    to: { email: booking.customerEmail, name: '' },
    ...layOutEmail(shop, {
      subject: `Please confirm by ${until}: ${serviceName}, ${day} at ${start}`,
      preview: `We hold this time until ${until}.`,
      heading: 'Please confirm your appointment',
      parts: [
        { kind: 'paragraph', text: 'Hello,' },
        {
          kind: 'paragraph',
          text: `Someone requested this time at ${shop.name} with your email address. We hold it until ${until} shop time (${shopZoneName(shop.timeZone)}). Confirm to keep it.`,
        },
        bookingDetails(shop, booking),
        { kind: 'button', label: 'View and confirm', url: visitUrl },
        {
          kind: 'paragraph',
          text: `Link not working? Call ${shop.phone.display} and we'll confirm the appointment for you.`,
        },
      ],
      reason:
        "You're receiving this email because this address was given for an appointment. If it was not you, ignore this email and the time will be released.",
    }),
    attachments: [],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}
