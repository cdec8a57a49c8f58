import type Stripe from 'stripe'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import type { Query } from '#server/platform/database.ts'
import { paidIntentOf } from './invoice-sessions.ts'
import type { PaymentContext } from './payment-context.ts'
import { receiptKey, writeReceipt } from './write-receipt.ts'

/**
 * Writes the receipt into the outbox once, to who paid: the address given at the checkout, else the
 * invoice's. An invoice that was settled at the counter gets none.
 */
export async function queueReceipt(
  context: PaymentContext,
  query: Query,
  invoice: Stripe.Invoice,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<void> {
  const email = payerOf(invoice, sessions)
  if (!email || (await receiptOf(query, invoice.id)) || !(await wasPaidOnline(query, invoice.id))) {
    return
  }
  await queueEmail(query, writeReceipt(invoice, email, await printInvoice(context, invoice)))
}

/** The outbox row of an invoice's receipt. */
export async function receiptOf(query: Query, invoiceId: string): Promise<string | undefined> {
  const [row] = await query<{ id: string }>('select id from public.emails where dedupe_key = $1', [
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

async function wasPaidOnline(query: Query, invoiceId: string): Promise<boolean> {
  const rows = await query(
    `select from public.payments where invoice_id = $1 and outcome <> 'refunded' limit 1`,
    [invoiceId],
  )
  return rows.length > 0
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
