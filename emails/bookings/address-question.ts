import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import { bookingDetails } from './booking-details.ts'

/**
 * An appointment that a visitor booked online in a customer's name, but with an email address that the shop does not
 * know as the customer's.
 */
type BookingWithAddress = {
  readonly bookingId: string
  /** The customer's known email address, which receives the email. */
  readonly recipient: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
}

/**
 * Writes the email that asks a customer whether another email address is theirs too. Any visitor can cause this email
 * with a booking in the customer's name, so the email repeats no untrusted text. The email's button opens a page that
 * shows the other email address.
 */
export function writeAddressQuestion(
  shop: Shop,
  booking: BookingWithAddress,
  url: string,
): Confirmation {
  const { bookingId, recipient, date, time } = booking
  return {
    kind: 'address_question',
    dedupeKey: `booking:${bookingId}:address`,
    to: { email: recipient, name: '' },
    ...layOutEmail(shop, {
      subject: `Did you book with another email address? Appointment on ${formatLongDate(date)}`,
      preview: 'An appointment was booked in your name with another email address.',
      heading: 'Did you book with another email address?',
      parts: [
        { kind: 'paragraph', text: 'Hello,' },
        {
          kind: 'paragraph',
          text: `Someone booked this appointment at ${shop.name} on our website, with your name and phone number, but with a different email address.`,
        },
        bookingDetails(shop, booking),
        {
          kind: 'paragraph',
          text: 'Is that address yours too? The button opens a page that shows the address. Nothing changes until you confirm.',
        },
        { kind: 'button', label: 'Yes, that is my address', url },
        {
          kind: 'paragraph',
          text: `Not your address? Ignore this email, and we won't use the address. If you did not book, please call ${shop.phone.display}.`,
        },
      ],
      reason:
        "You're receiving this email because you are our customer with this address, and an appointment was booked online in your name.",
    }),
    attachments: [],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}
