import type Stripe from 'stripe'

/**
 * Lists the newest finalized invoices of the last `days` days, newest first. `now` is in milliseconds since 1970.
 * Drafts are excluded, because Stripe lists a draft before its lines are complete.
 */
export async function listInvoices(
  stripe: Stripe,
  { limit, days, now }: { limit: number; days: number; now: number },
): Promise<Stripe.Invoice[]> {
  const since = Math.floor(now / 1000) - days * 86_400
  const finalized: Stripe.Invoice[] = []
  for await (const invoice of stripe.invoices.list({ limit, created: { gte: since } })) {
    if (invoice.status !== 'draft' && invoice.invoice_pdf) finalized.push(invoice)
    if (finalized.length >= limit) break
  }
  return finalized
}
