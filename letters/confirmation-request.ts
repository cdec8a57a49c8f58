import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import type { Shop } from '#domain/shop.ts'
import { formatShopTime, shopZoneName } from '#domain/shop-time.ts'
import { layOut } from './email-layout.ts'
import type { Confirmation } from './shop-email.ts'
import { visitFacts } from './visit-facts.ts'

/** A booking that waits for its e-mail to be answered. Nothing in it was typed by a visitor but the address. */
export type HeldBooking = {
  readonly id: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly customerEmail: string
  /** ISO 8601: until when its time is held. */
  readonly heldUntil: string
}

/**
 * Asks for one click on the booking's page. A machine may have typed the address of somebody who knows
 * nothing of it: so only the shop's own words go there, and no name.
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
    ...layOut(shop, {
      subject: `Please confirm by ${until}: ${serviceName}, ${day} at ${start}`,
      preview: `We hold this time until ${until}.`,
      heading: 'Please confirm your appointment',
      parts: [
        { kind: 'paragraph', text: 'Hello,' },
        {
          kind: 'paragraph',
          text: `Somebody asked for this time at ${shop.name} with your e-mail address. We hold it until ${until} shop time (${shopZoneName(shop.timeZone)}). One click makes it yours.`,
        },
        visitFacts(shop, booking),
        { kind: 'button', label: 'See and confirm', url: visitUrl },
        {
          kind: 'paragraph',
          text: `The link does not work? Call ${shop.phone.display} and we confirm it for you.`,
        },
      ],
      reason:
        'You receive this message because this address was given for an appointment. If it was not you, do nothing: without the click the time is free again by itself.',
    }),
    attachments: [],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}
