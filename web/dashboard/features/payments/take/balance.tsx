import type { CSSProperties } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatCents } from '#domain/money/format-cents.ts'

/**
 * Shows the balance of the invoice with a bar: the dark part is already paid, the blue part is the payment that staff
 * are entering.
 */
export function Balance({ invoice, nowCents }: { invoice: ListedInvoice; nowCents: number }) {
  const { totalCents, paidCents, balanceCents, currency } = invoice
  const share = (cents: number) => `${(Math.max(cents, 0) / Math.max(totalCents, 1)) * 100}%`
  const scale = {
    '--paid': share(paidCents),
    '--now': share(Math.min(nowCents, balanceCents)),
  } as CSSProperties
  return (
    <div className="pay-balance">
      <p className="pay-balance-head">
        <span>Balance</span> <b>{formatCents(balanceCents, currency)}</b>
      </p>
      <div className="pay-scale" style={scale} aria-hidden="true">
        <i />
        <i />
      </div>
      <p className="pay-scale-legend">
        {paidCents > 0 && (
          <span>
            Paid <b>{formatCents(paidCents, currency)}</b>
          </span>
        )}
        <span className="pay-legend-now">
          This payment <b>{formatCents(nowCents, currency)}</b>
        </span>
        <span className="pay-legend-total">
          Total <b>{formatCents(totalCents, currency)}</b>
        </span>
      </p>
    </div>
  )
}
