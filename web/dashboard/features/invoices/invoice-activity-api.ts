import { type EmailDelivery, emailDeliveryColumns } from '#contracts/emails/email-delivery.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { ledgerLineColumns } from '#web/dashboard/kit/payments/ledger-lines-api.ts'
import { requestData } from '#web/lib/data/request-data.ts'

export type InvoiceEmail = EmailDelivery & { readonly invoice_id: string | null }

/**
 * The data about invoices from the shop's own database: received payments and sent emails. The status of an invoice
 * comes from Stripe instead.
 */
export type InvoiceActivity = {
  readonly payments: readonly LedgerLine[]
  readonly emails: readonly InvoiceEmail[]
  /** The ids of invoices that were created from an estimate. */
  readonly fromEstimates: ReadonlySet<string>
}

export async function listInvoiceActivity(invoiceIds: readonly string[]): Promise<InvoiceActivity> {
  const [payments, emails, fromEstimates] = await Promise.all([
    requestData((service) =>
      service
        .from('payments')
        .select(ledgerLineColumns)
        .in('invoice_id', invoiceIds)
        .order('recorded_at'),
    ),
    requestData((service) =>
      service
        .from('emails')
        .select(`${emailDeliveryColumns}, invoice_id`)
        .in('invoice_id', invoiceIds)
        .order('created_at'),
    ),
    requestData((service) =>
      service.from('estimate_invoices').select('invoice_id').in('invoice_id', invoiceIds),
    ),
  ])
  return {
    payments: payments.data,
    emails: emails.data,
    fromEstimates: new Set(fromEstimates.data.flatMap(({ invoice_id }) => invoice_id ?? [])),
  }
}
