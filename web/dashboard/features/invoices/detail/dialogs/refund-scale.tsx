import type { CSSProperties } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'

/** A bar that shows the received payment: the shop keeps the filled part and refunds the hatched part. */
export function RefundScale({ invoice, cents }: { invoice: InvoiceDetail; cents: number }) {
  const { paidCents, currency } = invoice
  const keptCents = Math.max(paidCents - cents, 0)
  const share = (part: number) => `${(part / Math.max(paidCents, 1)) * 100}%`
  const scale = { '--kept': share(keptCents), '--back': share(paidCents - keptCents) }
  return (
    <div className="refund-scale">
      <p>
        Paid <b>{formatCents(paidCents, currency)}</b>
      </p>
      <div style={scale as CSSProperties} aria-hidden="true">
        <i />
        <i />
      </div>
      <p className="refund-scale-legend">
        <span>
          You keep <b>{formatCents(keptCents, currency)}</b>
        </span>
        <span>
          Goes back <b>{formatCents(cents, currency)}</b>
        </span>
      </p>
    </div>
  )
}
