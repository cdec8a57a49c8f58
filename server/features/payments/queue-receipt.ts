import type Stripe from 'stripe'
import { formatCents } from '#domain/money.ts'
import { formatInstant } from '#domain/shop-time.ts'
import type { Query } from '#server/platform/database.ts'
import { paidIntentOf } from './invoice-sessions.ts'
import type { PaymentContext, ShopEmail } from './payment-context.ts'
import { renderReceiptEmail } from './receipt-email.ts'

/** Names the receipt of an invoice in the outbox: there is one, whoever asks for it. */
export function receiptKey(invoiceId: string): string {
  return `receipt:${invoiceId}`
}

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
  const paidAt = invoice.status_transitions.paid_at ?? invoice.created
  const rendered = renderReceiptEmail({
    customerName: invoice.customer_name ?? '',
    invoiceNumber: invoice.number ?? '',
    amountPaid: formatCents(invoice.amount_paid, invoice.currency),
    paidAt: formatInstant(new Date(paidAt * 1000)),
    description: invoice.description ?? '',
    isTestMode: !invoice.livemode,
  })
  await context.queueEmail(query, {
    kind: 'payment_receipt',
    dedupeKey: receiptKey(invoice.id),
    to: { email, name: invoice.customer_name ?? '' },
    ...rendered,
    invoiceId: invoice.id,
    attachments: await attachInvoice(context, invoice),
  })
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
async function attachInvoice(
  { pdfs, report }: PaymentContext,
  invoice: Stripe.Invoice,
): Promise<ShopEmail['attachments']> {
  const print = await pdfs.prepare(invoice)
  try {
    const content = await print()
    const filename = `${(invoice.number ?? invoice.id).replaceAll(/[^\w-]/g, '')}.pdf`
    return [{ filename, contentType: 'application/pdf', content }]
  } catch (error) {
    report('the invoice PDF of a receipt could not be printed', error)
    return []
  }
}
