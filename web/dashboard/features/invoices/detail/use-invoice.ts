import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { listInvoiceActivity } from '../invoice-activity-api.ts'
import { billedJobs } from './billed-jobs.ts'
import { readBilledEstimate, readInvoice, readStripeInvoice } from './detail-api.ts'

/**
 * The interval, in milliseconds, at which the page looks for changes from other windows while the stream of live events
 * is not open.
 */
const watchMs = 30_000

/** Reads the invoice of the page. Live events about invoices trigger a refetch. */
export function useInvoice(id: string) {
  return useQuery({
    queryKey: ['invoices', 'detail', id],
    queryFn: () => readInvoice(id),
    refetchInterval: watchMs,
  })
}

/** The invoice in Stripe, with the URLs of the PDF and the payment page; undefined until it is loaded. */
export function useStripeInvoice({ id }: InvoiceDetail) {
  const invoice = useQuery({
    queryKey: ['invoices', 'stripe', id],
    queryFn: () => readStripeInvoice(id),
  })
  useQuietError('The links of the invoice could not be read', invoice.error)
  return invoice.data ?? undefined
}

/** The emails about the invoice; undefined until they are loaded. */
export function useInvoiceEmails({ id }: InvoiceDetail) {
  const activity = useQuery({
    queryKey: ['invoices', 'activity', [id]],
    queryFn: () => listInvoiceActivity([id]),
  })
  useQuietError('The emails of the invoice could not be read', activity.error)
  return activity.data?.emails
}

/**
 * The tax rate, the third-party payer and the billed jobs of the invoice's estimate; undefined while the estimate
 * loads, and for an invoice without an estimate.
 */
export function useBilledJobs(invoice: InvoiceDetail) {
  const { estimateId } = invoice
  const estimate = useQuery({
    queryKey: ['estimates', 'one', estimateId],
    queryFn: () => readBilledEstimate(estimateId ?? ''),
    enabled: estimateId !== null,
  })
  useQuietError('The estimate of the invoice could not be read', estimate.error)
  if (!estimate.data) return undefined
  const { taxRate, document } = estimate.data
  return { taxRate, payer: document.payer, jobs: billedJobs(estimate.data, invoice) }
}

/** Only logs the error of a request for supplementary data, because the page works without that data. */
function useQuietError(text: string, error: Error | null): void {
  useEffect(() => {
    if (error) logQuietly(text, error)
  }, [text, error])
}
