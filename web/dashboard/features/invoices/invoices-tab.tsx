import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import { CreateInvoiceForm } from './create-invoice-form.tsx'
import './invoices.css'
import { SentInvoices } from './sent-invoices.tsx'

/** Invoices: a new one on the left, what was sent on the right. `prefill` is what a quote request knows. */
export function InvoicesTab({ prefill }: { prefill?: InvoicePrefill | undefined }) {
  return (
    <div className="invoices">
      <CreateInvoiceForm prefill={prefill} />
      <SentInvoices />
    </div>
  )
}
