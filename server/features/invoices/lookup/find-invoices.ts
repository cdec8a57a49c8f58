import type Stripe from 'stripe'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { idsOfNumber } from '../records/invoice-number-index.ts'
import { type InvoiceLookup, normalizeEmail } from './read-lookup.ts'

type Shop = { readonly stripe: Stripe; readonly database: Database }

/**
 * The number of recent invoices that are searched when neither the shop's index of invoice numbers nor Stripe's search
 * finds the invoice number.
 */
const newestInvoices = 200

/**
 * Finds all invoices with the number in `lookup`, which must match `invoiceNumberPattern`. Uses both the shop's index
 * of invoice numbers and Stripe's search, because the index alone would hide a second invoice with the same number.
 * Prefers invoices whose number also has the same letter case. A correct number with a wrong email address causes the
 * same searches at Stripe as an unknown number, so that the response time does not reveal that the number exists.
 * Throws the errors of the Stripe SDK.
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
 * Searches Stripe for an invoice number, ignoring letter case (docs.stripe.com/search: an exact match is
 * case-insensitive). Stripe's search index lags up to a minute behind, longer in an outage, so the search may miss an
 * existing invoice.
 */
async function search({ stripe }: Shop, number: string): Promise<Stripe.Invoice[]> {
  try {
    const page = await stripe.invoices.search({ query: `number:"${number}"`, limit: 5 })
    return page.data
  } catch (error) {
    // Stripe's search is not available to every Stripe account. Without the search, the shop's index and Stripe's list
    // of invoices are used.
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
