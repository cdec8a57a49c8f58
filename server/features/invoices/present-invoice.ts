import type Stripe from 'stripe'
import type { AdminInvoice } from '#contracts/invoices.ts'

/** What the dashboard may see of an invoice. */
export function presentInvoice(invoice: Stripe.Invoice): Required<AdminInvoice> {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
    invoice_pdf: invoice.invoice_pdf ?? null,
    created: invoice.created,
    customer_name: invoice.customer_name,
    customer_email: invoice.customer_email,
  }
}
