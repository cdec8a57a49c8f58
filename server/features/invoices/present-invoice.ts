import type Stripe from 'stripe'
import type { ResponseOf } from '#contracts/api/endpoint.ts'
import type { lookupInvoiceEndpoint } from '#contracts/invoices/invoice-lookup.ts'
import type { AdminInvoice } from '#contracts/invoices/invoices.ts'
import type { StripeConnection } from '#server/features/payments/stripe.ts'
import type { PayableInvoice } from './lookup/lookup-invoice.ts'
import type { SignedInvoiceUrls } from './document/signed-invoice-urls.ts'

/** Converts a Stripe invoice to the fields that the dashboard receives. */
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
    totalCents: invoice.total,
    // Stripe still returns a remaining amount for a voided invoice, although nothing is due.
    balanceCents: invoice.status === 'void' ? 0 : invoice.amount_remaining,
    currency: invoice.currency,
  }
}

/** Converts a Stripe invoice to the fields that a visitor receives from the invoice lookup. */
export function presentFound(
  shop: { readonly stripeConnection: StripeConnection; readonly invoiceLinks: SignedInvoiceUrls },
  { invoice: { id, number, currency }, dueCents: amountDue }: PayableInvoice,
): ResponseOf<typeof lookupInvoiceEndpoint> {
  const links = shop.invoiceLinks.linksTo(id)
  const invoice = { id, ...links, number: number ?? '', amountDue, currency }
  return { ok: true, invoice, testMode: shop.stripeConnection.isTestMode }
}
