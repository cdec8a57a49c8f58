import type Stripe from 'stripe'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { Query } from '@local/postgres'
import { paidIntentOf } from '../checkout/invoice-sessions.ts'
import type { PaymentContext } from '../payment-context.ts'
import { receiptKey, writeReceipt } from '#emails/payments/payment-receipt.ts'

/**
 * The receipt of a paid invoice, to who paid: the address given at the checkout, else the invoice's.
 * Undefined when there is nobody to write to. Printing takes time: no transaction waits for it.
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

/** The outbox row of an invoice's receipt. */
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

/** A receipt without its PDF is better than none; the processor's outage, though, is worth waiting for. */
async function printInvoice(
  { pdfs, report }: PaymentContext,
  invoice: Stripe.Invoice,
): Promise<Buffer | undefined> {
  const print = await pdfs.prepare(invoice)
  try {
    return await print()
  } catch (error) {
    report('the invoice PDF of a receipt could not be printed', error)
    return undefined
  }
}
