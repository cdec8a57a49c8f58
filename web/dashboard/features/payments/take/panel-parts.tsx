import type { CSSProperties } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatCents } from '#domain/money/format-cents.ts'

/** The title of the panel with the customer and the number of the invoice. */
export function PanelTitle({ text, invoice }: { text: string; invoice: ListedInvoice }) {
  return (
    <>
      {text} <small>{[invoice.customerName, invoice.number].filter(Boolean).join(', ')}</small>
    </>
  )
}

/** A sum in digits so large that the customer can read them across the counter. */
export function BigSum({ name, cents }: { name: string; cents: number }) {
  const sum = formatCents(cents)
  const length = { '--length': sum.length } as CSSProperties
  return (
    <p className="pay-big-sum" role="status">
      <span>{name}</span> <b style={length}>{sum}</b>
    </p>
  )
}
