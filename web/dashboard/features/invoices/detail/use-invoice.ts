import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { listInvoiceActivity } from '../invoice-activity-api.ts'
import { billedJobs } from './billed-jobs.ts'
import { readBilledEstimate, readInvoice, readStripeInvoice } from './detail-api.ts'

/** The interval at which the page checks for changes by other windows while no live stream is open. */
const watchMs = 30_000

/** The invoice of the page. Live events about invoices read it again. */
export function useInvoice(id: string) {
  return useQuery({
    queryKey: ['invoices', 'detail', id],
    queryFn: () => readInvoice(id),
    refetchInterval: watchMs,
  })
}

/** The links to the PDF and the payment page; undefined while they are not known. */
export function useStripeInvoice({ id }: InvoiceDetail) {
  const invoice = useQuery({
    queryKey: ['invoices', 'stripe', id],
    queryFn: () => readStripeInvoice(id),
  })
  useQuietError('The links of the invoice could not be read', invoice.error)
  return invoice.data ?? undefined
}

/** The emails about the invoice; undefined while they are not known. */
export function useInvoiceEmails({ id }: InvoiceDetail) {
  const activity = useQuery({
    queryKey: ['invoices', 'activity', [id]],
    queryFn: () => listInvoiceActivity([id]),
  })
  useQuietError('The emails of the invoice could not be read', activity.error)
  return activity.data?.emails
}

/** The tax rate, the third-party payer and the billed jobs of the invoice's estimate; undefined without an estimate or while it is not known. */
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

/** Logs the error of a part that the page can do without. */
function useQuietError(text: string, error: Error | null): void {
  useEffect(() => {
    if (error) logQuietly(text, error)
  }, [text, error])
}
