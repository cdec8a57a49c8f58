import type Stripe from 'stripe'
import { asServer, type Database } from '#server/platform/database.ts'
import { stripeFailure } from '#server/platform/stripe.ts'
import { idsOfNumber } from './invoice-number-index.ts'

type Shop = { readonly stripe: Stripe; readonly database: Database }

/** How far back the list is read when neither the index nor the search knows a number. */
const newestInvoices = 200

/**
 * All invoices of this number (already known to match `invoiceNumberPattern`). Index and search are
 * both asked every time: the index alone would hide a second invoice of the same number. Upper and
 * lower case count only between invoices that differ in nothing else. Throws what the SDK throws.
 */
export async function findInvoicesByNumber(shop: Shop, number: string): Promise<Stripe.Invoice[]> {
  const [indexed, searched] = await Promise.all([readIndexed(shop, number), search(shop, number)])
  const found = [...indexed, ...searched].filter((invoice) => isNumbered(invoice, number))
  const candidates = found.length > 0 ? found : await readNewest(shop, number)
  const exact = candidates.filter((invoice) => invoice.number === number)
  const meant = exact.length > 0 ? exact : candidates
  return [...new Map(meant.map((invoice) => [invoice.id, invoice])).values()]
}

function isNumbered(invoice: Stripe.Invoice, number: string): boolean {
  return invoice.number?.toLowerCase() === number.toLowerCase()
}

async function readIndexed({ stripe, database }: Shop, number: string): Promise<Stripe.Invoice[]> {
  const ids = await database.transaction(asServer, (query) => idsOfNumber(query, number))
  const invoices = await Promise.all(ids.map((id) => retrieveIfThere(stripe, id)))
  return invoices.filter((invoice) => invoice !== undefined)
}

async function retrieveIfThere(stripe: Stripe, id: string): Promise<Stripe.Invoice | undefined> {
  try {
    return await stripe.invoices.retrieve(id)
  } catch (error) {
    if (stripeFailure(error) === 'missing') return undefined
    throw error
  }
}

/**
 * In any case (docs.stripe.com/search: an exact match is case-insensitive). Up to a minute behind, and in
 * an outage more: what it does not find may still exist.
 */
async function search({ stripe }: Shop, number: string): Promise<Stripe.Invoice[]> {
  try {
    const page = await stripe.invoices.search({ query: `number:"${number}"`, limit: 5 })
    return page.data
  } catch (error) {
    // Not every account may search; the other two ways remain.
    if (stripeFailure(error) === 'refused') return []
    throw error
  }
}

async function readNewest({ stripe }: Shop, number: string): Promise<Stripe.Invoice[]> {
  const found: Stripe.Invoice[] = []
  let seen = 0
  for await (const invoice of stripe.invoices.list({ limit: 100 })) {
    if (isNumbered(invoice, number)) found.push(invoice)
    seen += 1
    if (seen >= newestInvoices) break
  }
  return found
}
