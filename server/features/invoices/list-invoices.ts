import type Stripe from 'stripe'

/**
 * The newest invoices of the last `days` days that were finalized, newest first. `now` is in milliseconds. The processor
 * lists an invoice from its first draft on, while its lines are still missing.
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

/** The newest 100 invoices that are still to be paid. */
export async function listOpenInvoices(stripe: Stripe): Promise<Stripe.Invoice[]> {
  const page = await stripe.invoices.list({ limit: 100, status: 'open' })
  return page.data
}
