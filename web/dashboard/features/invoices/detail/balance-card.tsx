import type { CSSProperties } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { invoiceAmounts, signedCents } from './detail-text.ts'
import { InvoiceActions } from './invoice-actions.tsx'
import type { OpenDialog } from './invoice-dialog.tsx'

type Props = { invoice: InvoiceDetail; onOpen: (dialog: OpenDialog) => void }

/**
 * The card with the total, the paid amount and the balance of an invoice, and the buttons of the actions that are
 * possible now.
 */
export function BalanceCard({ invoice, onOpen }: Props) {
  const { balanceCents, currency, dueDate, can, state } = invoice
  const isKept = state === 'part_refunded' || state === 'refunded'
  return (
    <section className="card invoice-balance-card" aria-label="Balance">
      <Amounts invoice={invoice} />
      <Scale invoice={invoice} />
      <p className="invoice-due">
        <span>{isKept ? 'Kept' : 'Balance'}</span>
        <b>{formatCents(isKept ? invoice.paidCents : balanceCents, currency)}</b>
      </p>
      {balanceCents > 0 && dueDate !== null && (
        <p className="hint">Due {formatLongDate(dueDate)}</p>
      )}
      <InvoiceActions invoice={invoice} onOpen={onOpen} />
      {can.refund && (
        <p className="hint">A paid invoice is never edited or voided. A credit note corrects it.</p>
      )}
    </section>
  )
}

function Amounts({ invoice }: { invoice: InvoiceDetail }) {
  const { totalCents, taxCents, currency, state } = invoice
  const { receivedCents, refundedCents, creditedCents } = invoiceAmounts(invoice)
  const total = formatCents(totalCents, currency)
  const tax = taxCents === null ? '' : `, tax ${formatCents(taxCents, currency)} included`
  return (
    <dl className="invoice-amounts">
      <div>
        <dt>Total{tax}</dt>
        <dd>{state === 'void' ? <s>{total}</s> : total}</dd>
      </div>
      {creditedCents > 0 && (
        <div>
          <dt>Credit notes</dt>
          <dd>{signedCents(-creditedCents, currency)}</dd>
        </div>
      )}
      <div>
        <dt>Paid</dt>
        <dd>{formatCents(receivedCents, currency)}</dd>
      </div>
      {refundedCents > 0 && (
        <div>
          <dt>Refunded</dt>
          <dd>{signedCents(-refundedCents, currency)}</dd>
        </div>
      )}
    </dl>
  )
}

/** A bar of the total: the paid part is filled, the refunded part is hatched. */
function Scale({ invoice }: { invoice: InvoiceDetail }) {
  const { totalCents, paidCents } = invoice
  const { refundedCents } = invoiceAmounts(invoice)
  const share = (cents: number) => `${(Math.max(cents, 0) / Math.max(totalCents, 1)) * 100}%`
  const scale = { '--paid': share(paidCents), '--back': share(refundedCents) } as CSSProperties
  return (
    <div className="invoice-scale" style={scale} aria-hidden="true">
      <i />
      <i />
    </div>
  )
}
