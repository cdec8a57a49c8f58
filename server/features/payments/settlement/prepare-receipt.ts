import type Stripe from 'stripe'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { Query } from '@local/postgres'
import { paidIntentOf } from '../checkout/invoice-sessions.ts'
import type { PaymentContext } from '../payment-context.ts'
import { receiptKey, writeReceipt } from '#emails/payments/payment-receipt.ts'

/**
 * Composes the receipt email for a paid invoice. The recipient is the email address from the checkout, otherwise the
 * address on the invoice. Returns undefined if neither exists. Runs outside a transaction, because rendering the PDF
 * takes time.
 */
export async function prepareReceipt(
  context: PaymentContext,
  invoice: Stripe.Invoice,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<ShopEmail | undefined> {
  const email = payerOf(invoice, sessions)
  if (!email) return undefined
  return writeReceipt(context.currentShop(), invoice, email, await printInvoice(context, invoice))
}

/** Returns the id of an invoice's receipt email; undefined if no receipt is in the outbox. */
export async function receiptOf(query: Query, invoiceId: string): Promise<string | undefined> {
  const [row] = await query('select id from public.emails where dedupe_key = $1', [
    receiptKey(invoiceId),
  ])
  return row?.id
}

function payerOf(
  invoice: Stripe.Invoice,
  sessions: readonly Stripe.Checkout.Session[],
): string | null {
  const paid = sessions.find((session) => paidIntentOf(session))
  return paid?.customer_details?.email ?? invoice.customer_email
}

/**
 * Renders the invoice PDF of a receipt. Returns undefined when the rendering fails; the receipt then has no PDF. Throws
 * during an outage of Stripe, so that the settlement is retried.
 */
async function printInvoice(
  { pdfs, report }: PaymentContext,
  invoice: Stripe.Invoice,
): Promise<Buffer | undefined> {
  const print = await pdfs.prepare(invoice)
  try {
    return await print()
  } catch (error) {
    report('the invoice PDF of a receipt could not be rendered', error)
    return undefined
  }
}
