import { type Estimate, estimate } from '#contracts/estimates/estimates.ts'
import {
  type InvoiceDetail,
  invoiceDetail,
  type RefundPreview,
  refundPreview,
} from '#contracts/invoices/invoice-detail.ts'
import { type AdminInvoice, invoiceEndpoints } from '#contracts/invoices/invoices.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Reads an invoice with its ledger and history; null for an unknown id. */
export async function readInvoice(id: string): Promise<InvoiceDetail | null> {
  const { data } = await requestData((service) => service.rpc('read_invoice', { invoice_id: id }))
  return data === null ? null : invoiceDetail.parse(data)
}

/**
 * Reads a preview of a refund: how the database would divide the refund between the jobs or lines of the invoice and
 * the sales tax; null for an unknown payment.
 */
export async function previewRefund(
  paymentId: string,
  amountCents: number,
): Promise<RefundPreview | null> {
  const { data } = await requestData((service) =>
    service.rpc('preview_refund', {
      payment_id: paymentId,
      amount_cents: amountCents,
      // Null means all parts.
      part_keys: null,
    }),
  )
  return data === null ? null : refundPreview.parse(data)
}

/** The estimate that an invoice bills. */
export async function readBilledEstimate(id: string): Promise<Estimate> {
  const { data } = await requestData((service) => service.rpc('read_estimate', { estimate_id: id }))
  return estimate.parse(data)
}

/**
 * The largest values that a request for the list of Stripe's invoices may contain: `days` is the period, `limit` the
 * number of invoices.
 */
const listed = { days: 366, limit: 100 }

/**
 * Reads the invoice as stored at Stripe, with the URLs of the PDF and the payment page. Returns null if the invoice is
 * older than the period that the list of Stripe's invoices covers.
 */
export async function readStripeInvoice(id: string): Promise<AdminInvoice | null> {
  const { invoices } = orThrow(await callAsAdmin(invoiceEndpoints.list, listed))
  return invoices.find((invoice) => invoice.id === id) ?? null
}
