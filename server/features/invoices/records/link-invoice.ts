import type Stripe from 'stripe'
import type { Query } from '@local/postgres'

/** A billed line of an invoice; `cents` is the amount including tax. */
type BilledCents = {
  readonly description: string
  readonly cents: number
  readonly tax_cents: number
}

/**
 * Links an invoice to its customer at the first call (docs/product.md 16.4), and records its status and amounts at each
 * call. Ignores a draft. The due date and the lines are recorded once and never change afterwards. `dueAt` is in
 * seconds since 1970.
 */
export async function linkInvoice(
  query: Query,
  invoice: Stripe.Invoice,
  dueAt: number | null = invoice.due_date,
  lines: readonly BilledCents[] | null = linesOf(invoice),
): Promise<void> {
  if (invoice.status === 'draft') return
  await query('select internal.link_invoice($1)', [
    JSON.stringify({
      id: invoice.id,
      number: invoice.number,
      name: invoice.customer_name,
      email: invoice.customer_email,
      phone: invoice.customer_phone,
      total_cents: invoice.total,
      tax_cents: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
      remaining_cents: invoice.amount_remaining,
      due_at: dueAt,
      currency: invoice.currency,
      status: invoice.status ?? 'open',
      created_at: invoice.created,
      lines,
    }),
  ])
}

/**
 * Returns for each line of an invoice the amount including tax, and the tax. Returns null when Stripe's response
 * contains only some of the lines.
 */
function linesOf({ lines }: Stripe.Invoice): BilledCents[] | null {
  if (lines.has_more) return null
  return lines.data.map(({ description, amount, taxes }) => {
    const added = (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'exclusive')
    const tax = added.reduce((sum, { amount: cents }) => sum + cents, 0)
    return { description: description ?? '', cents: amount + tax, tax_cents: tax }
  })
}
