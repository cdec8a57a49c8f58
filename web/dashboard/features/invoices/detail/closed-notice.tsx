import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'

/**
 * The notice above an invoice that is void, cancelled or written off: the staff member who closed the invoice, and the
 * reason.
 */
export function ClosedNotice({ invoice }: { invoice: InvoiceDetail }) {
  const { state, events, creditNotes, estimateNumber } = invoice
  const nameOf = useNameOf()
  const again = estimateNumber ? ` Estimate ${estimateNumber} can be invoiced again.` : ''
  if (state === 'cancelled') {
    const note = creditNotes.findLast(({ kind }) => kind === 'cancellation')
    return (
      <Notice
        title={
          note &&
          titleOf(
            'Cancelled',
            note.createdAt,
            nameOf(note.createdByName, note.createdAt),
            note.reason,
          )
        }
      >
        Nothing is due on this invoice. Every payment is refunded by its original method.{again}
      </Notice>
    )
  }
  const wanted = { void: 'voided', written_off: 'written_off' } as const
  if (state !== 'void' && state !== 'written_off') return null
  const event = events.findLast(({ kind }) => kind === wanted[state])
  const name = state === 'void' ? 'Voided' : 'Written off'
  return (
    <Notice
      title={
        event
          ? titleOf(
              name,
              event.happenedAt,
              nameOf(event.changedByName, event.happenedAt),
              event.reason,
            )
          : name
      }
    >
      {state === 'void'
        ? `The payment link is closed. The customer owes nothing.${again}`
        : 'The balance is written off. The invoice can still be paid.'}
    </Notice>
  )
}

const titleOf = (name: string, at: string, by: string, reason: string) =>
  `${name} ${formatShortStamp(at)}, by ${by}: “${reason}”`
