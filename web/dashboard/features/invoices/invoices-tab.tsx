import { useSearch } from '@tanstack/react-router'
import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import { CreateInvoiceForm } from './create-invoice-form.tsx'
import './invoices.css'
import { SentInvoices } from './sent-invoices.tsx'

/**
 * The form for a new invoice on the left, sent invoices on the right. `prefill` fills in the form with the customer of
 * a quote request.
 */
export function InvoicesTab({ prefill }: { prefill?: InvoicePrefill | undefined }) {
  const { invoice } = useSearch({ from: '/invoices' })
  return (
    <div className="invoices">
      <CreateInvoiceForm prefill={prefill} />
      {/*
       * React renders a new list when the user follows a link to another invoice. The new list starts with the longest
       * period.
       */}
      <SentInvoices key={invoice} />
    </div>
  )
}
