import type Stripe from 'stripe'
import { formatCents } from '#domain/money.ts'
import { asServer, type Database, type Query } from '#server/platform/database.ts'
import { type StripeConnection, stripeFailure } from '#server/platform/stripe.ts'
import { formatShopDate } from './format-shop-date.ts'
import type { InvoicePdfs } from './invoice-pdfs.ts'

/** An invoice as its e-mail announces it; the outbox writes the message in the given transaction. */
export type InvoiceEmail = {
  readonly invoiceId: string
  readonly to: { readonly email: string; readonly name: string }
  readonly number: string
  readonly amountDue: string
  readonly dueOn: string | null
  readonly payUrl: string
  readonly pdf: Buffer
}

export type QueueInvoiceEmail = (query: Query, email: InvoiceEmail) => Promise<string>

type Dependencies = {
  readonly processor: StripeConnection
  readonly database: Database
  readonly pdfs: InvoicePdfs
  readonly publicUrl: string
  readonly queueInvoiceEmail: QueueInvoiceEmail
}

type Mailed = { readonly emailSent: boolean; readonly emailError: string | null }

/**
 * Sends an invoice to its customer: by the processor's own e-mail where it sends any, else by ours.
 * The invoice stands whatever happens here, so a failure is told and not thrown.
 */
export async function mailInvoice(
  dependencies: Dependencies,
  invoice: Stripe.Invoice,
): Promise<Mailed> {
  try {
    if (dependencies.processor.sendsEmail) {
      await dependencies.processor.client.invoices.sendInvoice(invoice.id)
    } else {
      await mailByOurselves(dependencies, invoice)
    }
    return { emailSent: true, emailError: null }
  } catch (error) {
    const words = stripeFailure(error)
      ? 'The card payment provider did not send the e-mail. Please try again from its dashboard.'
      : 'The e-mail could not be written. The invoice itself is in order.'
    return { emailSent: false, emailError: words }
  }
}

async function mailByOurselves(
  { database, pdfs, publicUrl, queueInvoiceEmail }: Dependencies,
  invoice: Stripe.Invoice,
): Promise<void> {
  const print = await pdfs.prepare(invoice)
  const number = invoice.number ?? ''
  const email: InvoiceEmail = {
    invoiceId: invoice.id,
    to: { email: invoice.customer_email ?? '', name: invoice.customer_name ?? '' },
    number,
    amountDue: formatCents(invoice.amount_remaining, invoice.currency),
    dueOn: invoice.due_date === null ? null : formatShopDate(invoice.due_date),
    payUrl: `${publicUrl}/pay-invoice?${new URLSearchParams({ invoice: number })}`,
    pdf: await print(),
  }
  await database.transaction(asServer, (query) => queueInvoiceEmail(query, email))
}
