import type Stripe from 'stripe'

/** The newest invoices of the last `days` days, newest first. `now` is in milliseconds. */
export async function listInvoices(
  stripe: Stripe,
  { limit, days, now }: { limit: number; days: number; now: number },
): Promise<Stripe.Invoice[]> {
  const since = Math.floor(now / 1000) - days * 86_400
  const page = await stripe.invoices.list({ limit, created: { gte: since } })
  return page.data
}

/** The newest 100 invoices that are still to be paid. */
export async function listOpenInvoices(stripe: Stripe): Promise<Stripe.Invoice[]> {
  const page = await stripe.invoices.list({ limit: 100, status: 'open' })
  return page.data
}
