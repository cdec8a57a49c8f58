import type { Shop } from '#domain/shop/shop.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import { bookingDetails } from './booking-details.ts'

/** A future appointment with the link to its visit page. */
export type LinkedBooking = {
  readonly id: string
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly url: string
}

/**
 * Sends the links to the visit pages of all future appointments of an email address. Any visitor can request this
 * email, so it lists dates and services but no untrusted text. `requestedAt` (milliseconds since 1970) is part of the
 * deduplication key, so that every request creates its own email.
 */
export function writeVisitLinks(
  shop: Shop,
  email: string,
  bookings: readonly [LinkedBooking, ...LinkedBooking[]],
  requestedAt: number,
): Confirmation {
  const what = bookings.length === 1 ? 'Your appointment' : `Your ${bookings.length} appointments`
  return {
    kind: 'visit_links',
    dedupeKey: `visit-links:${bookings[0].id}:${requestedAt}`,
    to: { email, name: '' },
    ...layOutEmail(shop, {
      subject: `${what} at ${shop.name}`,
      preview: 'View, change or cancel your appointment on its own page.',
      heading: what,
      parts: [
        { kind: 'paragraph', text: 'Hello,' },
        {
          kind: 'paragraph',
          text: 'You requested these links on our website. Anyone with a link below can change or cancel the appointment of the link.',
        },
        ...bookings.flatMap((booking) => [
          bookingDetails(shop, booking),
          { kind: 'button' as const, label: 'View or change this appointment', url: booking.url },
        ]),
        { kind: 'paragraph', text: `Questions? Please call ${shop.phone.display}.` },
      ],
      reason:
        "You're receiving this email because someone requested the appointments of this address. If it was not you, ignore this email: the links were sent only to this address.",
    }),
    attachments: [],
  }
}
