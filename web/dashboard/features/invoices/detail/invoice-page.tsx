import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { BilledLines } from './billed-lines.tsx'
import { ClosedNotice } from './closed-notice.tsx'
import { CreditNotesCard } from './credit-notes-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { InvoiceDialog, type OpenDialog } from './invoice-dialog.tsx'
import { InvoiceHead } from './invoice-head.tsx'
import { LedgerCard } from './ledger-card.tsx'
import { useInvoice, useStripeInvoice } from './use-invoice.ts'
import { ReplacementNotice } from './replacement-notice.tsx'
import './invoice-page.css'

/** The page of one invoice: its jobs, its ledger, its history, and the possible actions. */
export function InvoicePage() {
  const { id } = useParams({ from: '/invoices/$id' })
  const { data, isError, refetch, dataUpdatedAt } = useInvoice(id)
  if (data) return <ShownInvoice invoice={data} readAt={new Date(dataUpdatedAt)} />
  if (data === null) {
    return (
      <Notice title="This invoice is not known here.">
        <Link {...invoicesLink}>All invoices</Link>
      </Notice>
    )
  }
  if (!isError) return <Skeleton />
  return (
    <LoadFailure title="The invoice could not be loaded." onRetry={() => void refetch()}>
      The invoice is safe. Only loading it failed.
    </LoadFailure>
  )
}

function ShownInvoice({ invoice, readAt }: { invoice: InvoiceDetail; readAt: Date }) {
  const [dialog, open] = useState<OpenDialog>()
  const atStripe = useStripeInvoice(invoice)
  return (
    <article className="invoice-page">
      <InvoiceHead invoice={invoice} readAt={readAt} atStripe={atStripe} />
      <ClosedNotice invoice={invoice} />
      <ReplacementNotice invoice={invoice} />
      <div className="record-columns invoice-columns">
        <aside className="invoice-rail" aria-label="Balance and actions">
          <BalanceCard invoice={invoice} onOpen={open} />
        </aside>
        <div className="record-column">
          <BilledLines invoice={invoice} pdfUrl={atStripe?.invoice_pdf ?? undefined} />
          <LedgerCard invoice={invoice} onOpen={open} />
          <CreditNotesCard invoice={invoice} />
          <HistoryCard invoice={invoice} />
        </div>
      </div>
      {dialog && (
        <InvoiceDialog
          invoice={invoice}
          dialog={dialog}
          readAt={readAt}
          onOpen={open}
          onClose={() => open(undefined)}
        />
      )}
    </article>
  )
}
