import Stripe from 'stripe'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { idOf } from '#server/features/payments/stripe.ts'
import { assignInvoiceNumber } from './assign-invoice-number.ts'
import { indexInvoiceNumber } from './invoice-number-index.ts'
import type { InvoiceOrder } from './read-invoice-order.ts'

type Shop = {
  readonly stripe: Stripe
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Makes and finalizes the invoice at the processor. `requestId` names the wish: the same id makes the
 * same invoice once, however often a call has to be repeated. Throws what the SDK throws; no draft
 * with half of its lines stays behind.
 */
export async function createInvoice(
  shop: Shop,
  order: InvoiceOrder,
  requestId: string,
): Promise<Stripe.Invoice> {
  const { stripe, database, now } = shop
  const number = await assignInvoiceNumber(database, requestId, now())
  const once = (step: string) => ({ idempotencyKey: `invoice-${requestId}-${step}` })
  const customer = await findOrCreateCustomer(stripe, order.customer, once('customer'))
  const draft = await stripe.invoices.create(
    {
      customer,
      number,
      collection_method: 'send_invoice',
      days_until_due: order.dueDays,
      currency: 'usd',
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      ...(order.memo === '' ? {} : { description: order.memo }),
    },
    once('draft'),
  )
  await addLines(stripe, draft, order, once)
  const invoice = await stripe.invoices.finalizeInvoice(
    draft.id,
    { auto_advance: false },
    once('finalize'),
  )
  await database.transaction(asServer, (query) => indexInvoiceNumber(query, invoice))
  return invoice
}

type OnceKey = (step: string) => { idempotencyKey: string }

async function addLines(
  stripe: Stripe,
  draft: Stripe.Invoice,
  order: InvoiceOrder,
  once: OnceKey,
): Promise<void> {
  try {
    // One after the other: their order on the invoice is the order they are made in.
    for (const [index, line] of order.lines.entries()) {
      await stripe.invoiceItems.create(
        {
          customer: idOf(draft.customer),
          invoice: draft.id,
          currency: 'usd',
          description: line.description,
          quantity: line.quantity,
          unit_amount_decimal: Stripe.Decimal.from(line.amountCents),
        },
        once(`line-${index}`),
      )
    }
  } catch (error) {
    await stripe.invoices.del(draft.id).catch(() => undefined)
    throw error
  }
}

/** The processor's customer with that e-mail address, brought up to date, or a new one. */
async function findOrCreateCustomer(
  stripe: Stripe,
  { name, email, phone }: InvoiceOrder['customer'],
  once: { idempotencyKey: string },
): Promise<string> {
  const known = (await stripe.customers.list({ email, limit: 1 })).data[0]
  const details = { ...(name === '' ? {} : { name }), ...(phone === '' ? {} : { phone }) }
  if (!known) return (await stripe.customers.create({ email, ...details }, once)).id
  const isChanged = (name !== '' && known.name !== name) || (phone !== '' && known.phone !== phone)
  if (isChanged) await stripe.customers.update(known.id, details, once)
  return known.id
}
