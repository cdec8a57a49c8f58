import type Stripe from 'stripe'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { StripeRefusal } from '#server/features/payments/call-stripe.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { assignInvoiceNumber } from './records/assign-invoice-number.ts'
import { fillDraft, matchesOrder, type LinesToBill, totalsOf } from './fill-draft.ts'
import { indexInvoiceNumber } from './records/invoice-number-index.ts'
import { linkInvoice } from './records/link-invoice.ts'
import type { InvoiceOrder } from './read-invoice-order.ts'
import { findOrCreateCustomer } from './stripe-customer.ts'

type Shop = {
  readonly stripe: Stripe
  readonly database: Database
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
}

/** An invoice to create. Its lines are typed by staff or are the approved jobs of an estimate. */
export type InvoiceToMake = Omit<InvoiceOrder, 'lines'> &
  LinesToBill & {
    /**
     * If true, an interrupted creation of this invoice is resumed later, even after days, and its draft is not
     * deleted during a Stripe outage.
     */
    readonly isResumed?: boolean
  }

/**
 * Creates and finalizes an invoice in Stripe. A repeated call with the same `requestId` creates no second invoice.
 * Returns the refusal TOTALS_DIFFER, before the invoice is final, when the total or tax that Stripe computes differs
 * from that of `order` (the requested invoice). Throws the errors of the Stripe SDK. Deletes an incomplete draft,
 * except a resumable draft during a Stripe outage.
 */
export async function createInvoice(
  shop: Shop,
  order: InvoiceToMake,
  requestId: string,
): Promise<Result<Stripe.Invoice, StripeRefusal>> {
  const { stripe, database, now } = shop
  const number = await assignInvoiceNumber(database, requestId, now())
  const once = (step: string) => ({ idempotencyKey: `invoice-${requestId}-${step}` })
  const begun = order.isResumed ? await findBegun(stripe, number) : undefined
  const draft = begun ?? (await openDraft(stripe, order, number, once))
  const filled = await orDelete(stripe, draft, order, () => fillDraft(stripe, draft, order, once))
  if (!matchesOrder(filled, order)) {
    await deleteDraft(stripe, draft)
    return refused({
      code: 'TOTALS_DIFFER',
      logged: { requested: totalsOf(order), draft: draft.id },
    })
  }
  const final = () => finalize(stripe, filled, once)
  const invoice = order.isResumed ? await orDelete(stripe, filled, order, final) : await final()
  await database.transaction(asServer, async (query) => {
    await indexInvoiceNumber(query, invoice)
    await linkInvoice(query, invoice, dueAtOf(invoice, order), typedLines(order))
  })
  return accepted(invoice)
}

/**
 * The due date in seconds since 1970. Stripe sets no due date on an invoice without an email address, so the shop
 * computes it.
 */
function dueAtOf(invoice: Stripe.Invoice, { dueDays }: InvoiceToMake): number {
  return invoice.due_date ?? invoice.created + dueDays * 86_400
}

/**
 * Returns the lines that staff typed, because Stripe's response contains only the first ten lines; undefined for an
 * invoice of an estimate.
 */
function typedLines(order: InvoiceToMake) {
  if (!('lines' in order)) return undefined
  return order.lines.map(({ description, amountCents, quantity }) => ({
    description,
    cents: amountCents * quantity,
    tax_cents: 0,
  }))
}

async function finalize(stripe: Stripe, filled: Stripe.Invoice, once: OnceKey) {
  if (filled.status !== 'draft') return filled
  return stripe.invoices.finalizeInvoice(filled.id, { auto_advance: false }, once('finalize'))
}

type OnceKey = (step: string) => { idempotencyKey: string }

/**
 * Searches for the invoice of an interrupted call by its invoice number, because Stripe stores idempotency keys for
 * one day only.
 */
async function findBegun(stripe: Stripe, number: string): Promise<Stripe.Invoice | undefined> {
  try {
    const { data } = await stripe.invoices.search({ query: `number:"${number}"`, limit: 1 })
    return data[0]
  } catch (error) {
    // Stripe's search is not available to every Stripe account. Within a day, the idempotency keys still prevent a
    // second invoice.
    if (stripeFailure(error) === 'refused') return undefined
    throw error
  }
}

async function openDraft(
  stripe: Stripe,
  order: InvoiceToMake,
  number: string,
  once: OnceKey,
): Promise<Stripe.Invoice> {
  const customer = await findOrCreateCustomer(stripe, order.customer, once('customer'))
  return stripe.invoices.create(
    {
      customer,
      number,
      ...(order.customer.email === ''
        ? { collection_method: 'charge_automatically' }
        : { collection_method: 'send_invoice', days_until_due: order.dueDays }),
      currency: 'usd',
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      ...(order.memo === '' ? {} : { description: order.memo }),
    },
    once('draft'),
  )
}

/**
 * Runs `work` on a draft invoice. If `work` fails, the draft is deleted, except a resumable draft during a Stripe
 * outage.
 */
async function orDelete<Value>(
  stripe: Stripe,
  draft: Stripe.Invoice,
  { isResumed }: InvoiceToMake,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isResumed || stripeFailure(error) !== 'unavailable') await deleteDraft(stripe, draft)
    throw error
  }
}

/** Deletes a draft invoice. Stripe refuses to delete a finalized invoice, which then remains. */
async function deleteDraft(stripe: Stripe, draft: Stripe.Invoice): Promise<void> {
  await stripe.invoices.del(draft.id).catch(() => undefined)
}
