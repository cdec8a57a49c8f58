import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

/** A change that a customer made on the visit page. */
export type BookingChangeByCustomer = {
  readonly bookingId: string
  /**
   * The version of the calendar event (SEQUENCE in RFC 5545) after the customer's change: bookings.calendar_sequence.
   */
  readonly sequence: number
  readonly about: 'moved' | 'cancelled' | 'restored'
  readonly customerName: string
  readonly serviceName: string
  /** The start of the appointment as text: 'Tuesday, November 24, 1:00 PM'. */
  readonly when: string
}

const verbs = { moved: 'moved', cancelled: 'cancelled', restored: 'restored' } as const

/**
 * Notifies the owner of a change that a customer made on the visit page. The shop's settings determine whether this
 * email is sent (docs/product.md 14.6).
 */
export function writeBookingChangeNotice(
  change: BookingChangeByCustomer,
  owner: Owner,
): OwnerNotice {
  const { bookingId, sequence, about, serviceName, when } = change
  const customerName = withoutLinks(oneUntrustedLine(change.customerName, 80)) || 'A customer'
  return writeOwnerNotice(owner, {
    key: `visit:${bookingId}:${about}:${sequence}`,
    line: `A customer ${verbs[about]} an appointment: ${when}`,
    subject: `${customerName} ${verbs[about]} an appointment: ${when}`,
    preview: `${serviceName}, ${when}.`,
    heading: `${customerName} ${verbs[about]} an appointment`,
    parts: [
      {
        kind: 'facts',
        details: [
          ['Service', oneUntrustedLine(serviceName)],
          [about === 'moved' ? 'New time' : 'Time', when],
        ],
      },
      {
        kind: 'paragraph',
        text: 'The customer made this change with a link from one of our emails. The dashboard shows the change.',
      },
    ],
    reason: "You're receiving this email because notifications are on in Settings, Booking rules.",
  })
}
