import { oneLine, unlinked } from './foreign-text.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from './owner-notice.ts'

/** What a customer did by the private page of an appointment. */
export type VisitChange = {
  readonly bookingId: string
  /** bookings.calendar_sequence after it. */
  readonly sequence: number
  readonly about: 'moved' | 'cancelled' | 'restored'
  readonly customerName: string
  readonly serviceName: string
  /** 'Tuesday, November 24, 1:00 PM' */
  readonly when: string
}

const deeds = { moved: 'moved', cancelled: 'cancelled', restored: 'took back' } as const

/** Tells the owner what a customer changed, where the shop wants to know by letter (docs/product.md 14.6). */
export function writeVisitChangeNotice(change: VisitChange, owner: Owner): OwnerNotice {
  const { bookingId, sequence, about, serviceName, when } = change
  const who = unlinked(oneLine(change.customerName, 80)) || 'A customer'
  return writeOwnerNotice(owner, {
    key: `visit:${bookingId}:${about}:${sequence}`,
    line: `A customer ${deeds[about]} a visit: ${when}`,
    subject: `${who} ${deeds[about]} a visit: ${when}`,
    preview: `${serviceName}, ${when}.`,
    heading: `${who} ${deeds[about]} a visit`,
    parts: [
      {
        kind: 'facts',
        facts: [
          ['Service', oneLine(serviceName)],
          [about === 'moved' ? 'New time' : 'Time', when],
        ],
      },
      {
        kind: 'paragraph',
        text: 'They did it by the private page of the visit. The dashboard shows it already.',
      },
    ],
    reason:
      'You receive this message because the booking rules of the dashboard say that the shop is told of such changes.',
  })
}
