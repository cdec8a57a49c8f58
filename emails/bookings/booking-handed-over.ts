import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greetUnverified } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/**
 * The original contact of a booking that staff have assigned to another customer. The service and the start of the
 * appointment are the ones from before this assignment.
 */
export type FormerContact = {
  readonly bookingId: string
  readonly name: string
  readonly email: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
}

/**
 * Writes the email that informs the original customer that an appointment is no longer in their name. The email
 * contains nothing about the new customer. `version` is the version of the booking after the change.
 */
export function writeBookingHandedOver(
  shop: Shop,
  former: FormerContact,
  version: number,
): ShopEmail {
  const name = givenName(oneUntrustedLine(former.name, 80))
  const day = formatLongDate(former.date)
  const start = formatTime(former.time)
  const service = oneUntrustedLine(former.serviceName)
  return {
    kind: 'booking_handed_over',
    dedupeKey: `booking:${former.bookingId}:handed-over:${version}`,
    to: { email: former.email, name },
    attachments: [],
    bookingId: former.bookingId,
    ...layOutEmail(shop, {
      subject: `Appointment no longer in your name: ${service}, ${day} at ${start}`,
      preview: `The appointment on ${day} at ${start} is no longer in your name.`,
      heading: 'This appointment is no longer in your name',
      parts: [
        { kind: 'paragraph', text: greetUnverified(name) },
        {
          kind: 'paragraph',
          text: `We changed the contact of the appointment for ${service} on ${day} at ${start}, so you do not need to come. Links in our earlier emails about this appointment no longer work.`,
        },
        {
          kind: 'paragraph',
          text: `Is this a mistake? Please call ${shop.phone.display}.`,
        },
      ],
      reason: "You're receiving this email because the appointment had this address until now.",
    }),
  }
}
