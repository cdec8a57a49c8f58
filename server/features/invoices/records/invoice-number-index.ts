import type Stripe from 'stripe'
import type { Query } from '@local/postgres'

/** Stores the number of an invoice, so that the invoice lookup does not depend on Stripe's search. */
export async function indexInvoiceNumber(query: Query, invoice: Stripe.Invoice): Promise<void> {
  if (!invoice.number) return
  await query(
    `insert into internal.invoice_numbers (invoice_id, number) values ($1, $2)
     on conflict (invoice_id) do update set number = excluded.number
     where invoice_numbers.number <> excluded.number`,
    [invoice.id, invoice.number],
  )
}

/** Returns the ids of the invoices with this number, ignoring letter case; usually a single id. */
export async function idsOfNumber(query: Query, number: string): Promise<string[]> {
  const rows = await query(
    'select invoice_id from internal.invoice_numbers where lower(number) = lower($1) limit 5',
    [number],
    'ids of invoice number',
  )
  return rows.map((row) => row.invoice_id)
}
