import { useId } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { signedCents } from './detail-text.ts'
import { creditNoteNames } from './history-text.ts'

/** The credit notes of an invoice, newest first. */
export function CreditNotesCard({ invoice }: { invoice: InvoiceDetail }) {
  const titleId = useId()
  const { creditNotes, currency } = invoice
  if (creditNotes.length === 0) return null
  return (
    <section className="card invoice-section" aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>Credit notes</h3>
      </header>
      <ul className="invoice-ledger">
        {creditNotes.toReversed().map((note) => (
          <li key={note.id}>
            <span className="invoice-line-what">
              <b>{creditNoteNames[note.kind]}</b>
              <small>“{note.reason}”</small>
            </span>
            <span className="invoice-line-when">
              <time dateTime={note.createdAt}>{formatShortStamp(note.createdAt)}</time>
              <small>
                <StaffName username={note.createdByName} at={note.createdAt} />
              </small>
            </span>
            <b className="invoice-line-amount">{signedCents(-note.amountCents, currency)}</b>
            <span className="invoice-line-due">
              {note.taxCents > 0 && `tax in it ${formatCents(note.taxCents, currency)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
