import { useRef, useState } from 'react'
import { EstimateList } from '#web/dashboard/features/estimates/estimate-list.tsx'
import { InvoicesTab } from '#web/dashboard/features/invoices/invoices-tab.tsx'
import { InvoiceList } from '#web/dashboard/features/invoices/list/invoice-list.tsx'
import { takeInvoicePrefill } from './invoice-prefill.ts'

/** The invoices with their balances, the estimates, and the form for a new invoice. */
export function InvoicesView() {
  const [prefill] = useState(takeInvoicePrefill)
  const tab = useRef<HTMLDivElement>(null)
  return (
    <>
      <InvoiceList
        onNewInvoice={() => tab.current?.querySelector<HTMLElement>('[name="name"]')?.focus()}
      />
      <EstimateList />
      <div ref={tab}>
        <InvoicesTab prefill={prefill} />
      </div>
    </>
  )
}
