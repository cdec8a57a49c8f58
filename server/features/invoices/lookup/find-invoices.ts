import type Stripe from 'stripe'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { idsOfNumber } from '../records/invoice-number-index.ts'
import { type InvoiceLookup, normalizeEmail } from './read-lookup.ts'

type Shop = { readonly stripe: Stripe; readonly database: Database }

/** How far back the list is read when neither the index nor the search knows a number. */
const newestInvoices = 200

/**
 * All invoices that are meant (by a number known to match `invoiceNumberPattern`). Index and search are
 * both asked every time: the index alone would hide a second invoice of the same number. Upper and
 * lower case count only between invoices that differ in nothing else. A right number with a wrong e-mail
 * address takes the way of an unknown number, so that time does not tell them apart. Throws what the SDK
 * throws.
 */
export async function findInvoices(shop: Shop, lookup: InvoiceLookup): Promise<Stripe.Invoice[]> {
  const { number } = lookup
  const [indexed, searched] = await Promise.all([readIndexed(shop, number), search(shop, number)])
  const found = [...indexed, ...searched].filter((invoice) => isMeant(invoice, lookup))
  const candidates = found.length > 0 ? found : await readNewest(shop, lookup)
  const exact = candidates.filter((invoice) => invoice.number === number)
  const meant = exact.length > 0 ? exact : candidates
  return [...new Map(meant.map((invoice) => [invoice.id, invoice])).values()]
}

function isMeant(invoice: Stripe.Invoice, { number, email }: InvoiceLookup): boolean {
  const isNumbered = invoice.number?.toLowerCase() === number.toLowerCase()
  return (
    isNumbered && (email === undefined || normalizeEmail(invoice.customer_email ?? '') === email)
  )
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

async function readNewest({ stripe }: Shop, lookup: InvoiceLookup): Promise<Stripe.Invoice[]> {
  const found: Stripe.Invoice[] = []
  let seen = 0
  for await (const invoice of stripe.invoices.list({ limit: 100 })) {
    if (isMeant(invoice, lookup)) found.push(invoice)
    seen += 1
    if (seen >= newestInvoices) break
  }
  return found
}
