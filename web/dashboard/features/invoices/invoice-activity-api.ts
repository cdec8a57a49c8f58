import { type EmailDelivery, emailDeliveryColumns } from '#contracts/emails/email-delivery.ts'
import type { ReceivedPayment } from '#contracts/payments/received-payment.ts'
import { requestData } from '#web/lib/data/request-data.ts'

export type InvoiceEmail = EmailDelivery & { readonly invoice_id: string | null }

/** What happened around invoices besides the processor's own word: payments received, e-mails sent. */
export type InvoiceActivity = {
  readonly payments: readonly ReceivedPayment[]
  readonly emails: readonly InvoiceEmail[]
  /** Invoices of estimates. */
  readonly estimated: ReadonlySet<string>
}

export async function listInvoiceActivity(invoiceIds: readonly string[]): Promise<InvoiceActivity> {
  const [payments, emails, estimated] = await Promise.all([
    requestData((service) =>
      service
        .from('payments')
        .select('id, invoice_id, amount_cents, overpaid_cents, currency, outcome, paid_at')
        .in('invoice_id', invoiceIds)
        .order('paid_at'),
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
    estimated: new Set(estimated.data.flatMap(({ invoice_id }) => invoice_id ?? [])),
  }
}
