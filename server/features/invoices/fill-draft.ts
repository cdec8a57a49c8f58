import Stripe from 'stripe'
import type { BilledLine } from '#domain/invoices/billed-lines.ts'
import { type InvoiceLine, invoiceTotalCents } from '#domain/invoices/invoice-lines.ts'
import { idOf } from '#server/features/payments/stripe.ts'

/**
 * The lines of an invoice to create: lines that staff typed (without tax), or the lines of the approved jobs of an
 * estimate with its tax rate and tax.
 */
export type LinesToBill =
  | { readonly lines: readonly InvoiceLine[] }
  | {
      readonly billed: readonly BilledLine[]
      /** The tax rate in ten-thousandths of a percent: 82500 is 8.25 %. */
      readonly taxRate: number
      /** The total of the lines in cents, as the database computed it. */
      readonly totalCents: number
      readonly taxCents: number
    }

type OnceKey = (step: string) => { idempotencyKey: string }

/**
 * The maximum number of invoice lines per request to Stripe. Stripe limits the size of a request without documenting
 * the limit.
 */
const linesAtOnce = 100

/** Computes the total (including tax) and the tax of an invoice with these lines, in cents. */
export function totalsOf(order: LinesToBill): { totalCents: number; taxCents: number } {
  if ('lines' in order) return { totalCents: invoiceTotalCents(order.lines), taxCents: 0 }
  return { totalCents: order.totalCents, taxCents: order.taxCents }
}

/**
 * Whether the total and the tax that Stripe computed for the invoice equal those of `order`, the invoice that staff
 * requested.
 */
export function matchesOrder(invoice: Stripe.Invoice, order: LinesToBill): boolean {
  const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const { totalCents, taxCents } = totalsOf(order)
  return invoice.total === totalCents && tax === taxCents
}

/**
 * Adds the lines to a draft invoice, except lines that an interrupted call already added. Returns the draft with
 * Stripe's totals.
 */
export async function fillDraft(
  stripe: Stripe,
  draft: Stripe.Invoice,
  order: LinesToBill,
  once: OnceKey,
): Promise<Stripe.Invoice> {
  if (draft.status !== 'draft' || matchesOrder(draft, order)) return draft
  if ('lines' in order) await addFormLines(stripe, draft, order.lines, once)
  else await addBilledLines(stripe, draft, order, once)
  return stripe.invoices.retrieve(draft.id)
}

async function addFormLines(
  stripe: Stripe,
  draft: Stripe.Invoice,
  lines: readonly InvoiceLine[],
  once: OnceKey,
): Promise<void> {
  // Creates the lines one after the other, because Stripe shows the lines of an invoice in the order of their creation.
  for (const [index, line] of lines.entries()) {
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
}

async function addBilledLines(
  stripe: Stripe,
  draft: Stripe.Invoice,
  { billed, taxRate }: { billed: readonly BilledLine[]; taxRate: number },
  once: OnceKey,
): Promise<void> {
  for (let from = 0; from < billed.length; from += linesAtOnce) {
    const lines = billed.slice(from, from + linesAtOnce).map((line) => toLine(line, taxRate))
    await stripe.invoices.addLines(draft.id, { lines }, once(`lines-${from}`))
  }
}

/**
 * Sends each line as one amount without a quantity, because Stripe would round the product of hours and price
 * differently.
 */
function toLine(line: BilledLine, taxRate: number): Stripe.InvoiceAddLinesParams.Line {
  const { description, cents, taxCents, taxableCents } = line
  if (taxCents === 0) return { description, amount: cents }
  const tax = {
    amount: taxCents,
    taxable_amount: taxableCents,
    tax_rate_data: {
      display_name: 'Sales tax',
      inclusive: false,
      percentage: taxRate / 10_000,
      country: 'US',
    },
  }
  return { description, amount: cents, tax_amounts: [tax] }
}
