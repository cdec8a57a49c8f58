import { useState } from 'react'
import { EstimateList } from '#web/dashboard/features/estimates/estimate-list.tsx'
import { InvoicesTab } from '#web/dashboard/features/invoices/invoices-tab.tsx'
import { takeInvoicePrefill } from './invoice-prefill.ts'

/** The estimates and the invoices. */
export function InvoicesView() {
  const [prefill] = useState(takeInvoicePrefill)
  return (
    <>
      <EstimateList />
      <InvoicesTab prefill={prefill} />
    </>
  )
}
