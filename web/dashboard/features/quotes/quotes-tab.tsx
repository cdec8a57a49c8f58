import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { useCreateEstimate } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { useOpenPhoneBooking } from '#web/dashboard/kit/bookings/phone-booking-prefill.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useRecordPanel } from '#web/dashboard/kit/navigation/use-record-panel.ts'
import { findQuote, type QuotePage } from './quotes-api.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx'
import type { QuoteHandlers } from './quote-buttons.tsx'
import { QuoteSection } from './quote-section.tsx'
import { ReplyDialog } from './reply-dialog.tsx'
import { useBilling } from './use-billing.ts'
import { useQuoteActions } from './use-quote-actions.ts'
import { useQuoteLists } from './use-quote-lists.ts'
import './quotes.css'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'

type Props = {
  /** Opens the form for a new task, filled in with the data of the quote request. */
  onCreateTask: (quote: QuoteRequest) => void
  /** Opens the form for a new invoice, filled in with the customer of the quote request. */
  onCreateInvoice: (invoice: InvoicePrefill) => void
}

/** Quote requests in two lists, pending and completed. */
export function QuotesTab({ onCreateTask, onCreateInvoice }: Props) {
  const lists = useQuoteLists()
  const actions = useQuoteActions()
  const resending = useResendEmail()
  const estimateCreation = useCreateEstimate()
  const billing = useBilling(onCreateInvoice)
  const openPhoneBooking = useOpenPhoneBooking()
  const reply = useRecordPanel('reply', 'quotes', findQuote)
  const [deleting, setDeleting] = useState<QuoteRequest>()
  const handlers: QuoteHandlers = {
    onReply: reply.open,
    onBook: ({ name, phone }) => openPhoneBooking({ kind: 'known', name, phone }),
    onDelete: setDeleting,
    onRelease: actions.release,
    onEstimate: ({ id }) => estimateCreation.mutate({ quoteRequestId: id }),
    onCreateTask,
    onCreateInvoice: (quote) => billing.mutate(quote),
    busyId: billing.isPending ? billing.variables.id : actions.busyId,
  }
  const { quote: linkedId = null } = useSearch({ from: '/quotes' })
  const linked = useLinkedQuote(linkedId, [lists.pending.page, lists.completed.page])
  const shared = { handlers, resending, linkedId, linkedQuote: linked.quote }
  return (
    <>
      {lists.isFailed && (
        <LoadFailure title="Failed to load dashboard data." onRetry={lists.retry}>
          Your quote requests are safe. Only loading them failed.
        </LoadFailure>
      )}
      {linked.isNotFound && (
        <Notice title="The quote request of this link no longer exists.">It was deleted.</Notice>
      )}
      <QuoteSection
        {...shared}
        {...lists.pending}
        kind="pending"
        title="Pending Quote Requests"
        empty="No pending quote requests"
      />
      <QuoteSection
        {...shared}
        {...lists.completed}
        kind="completed"
        title="Completed Quote Requests"
        empty="No completed quote requests"
      />
      {reply.record && (
        <ReplyDialog key={reply.record.id} quote={reply.record} onClose={reply.close} />
      )}
      {deleting && (
        <DeleteQuoteDialog
          quote={deleting}
          actions={actions}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}

type LinkedQuote = {
  /** The quote request whose id is in the URL, if no loaded page contains this quote request. */
  readonly quote: QuoteRequest | undefined
  readonly isNotFound: boolean
}

function useLinkedQuote(id: string | null, pages: readonly (QuotePage | undefined)[]): LinkedQuote {
  const areRead = pages.every((page) => page !== undefined)
  const isListed = pages.some((page) => page?.quotes.some((quote) => quote.id === id))
  const { data } = useRecord('quotes', id, findQuote, { isWanted: areRead && !isListed })
  if (id === null || isListed) return { quote: undefined, isNotFound: false }
  return { quote: data ?? undefined, isNotFound: data === null }
}
