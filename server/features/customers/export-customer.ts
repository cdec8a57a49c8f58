import type Stripe from 'stripe'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { accepted, type Result } from '#domain/result.ts'
import type { InvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { findCustomerInvoice } from './find-customer-invoice.ts'
import { packExport, type CustomerExport } from './customer-export.ts'
import { toCustomerError } from './customer-errors.ts'

type Shop = {
  readonly database: Database
  readonly stripe: Stripe
  readonly pdfs: InvoicePdfs
}

/** Exports all data about a customer as one ZIP archive (docs/product.md 16.8). */
export async function exportCustomer(
  { database, stripe, pdfs }: Shop,
  customerId: string,
): Promise<Result<Uint8Array, Refusal>> {
  const read = await toCustomerError(() =>
    database.transaction(asServer, async (query) =>
      rowsAs<{ data: CustomerExport }>(
        await query('select internal.read_customer_export($1) as data', [customerId]),
      ),
    ),
  )
  if (!read.ok) return read
  const data = read.value[0]?.data
  if (!data) throw new Error('The export of a customer returned no data')
  const ids = data.invoices.map(({ invoice_id }) => invoice_id)
  return callStripe({ otherwise: 'STRIPE_ERROR' }, async () =>
    accepted(packExport(data, await printInvoices({ stripe, pdfs }, ids))),
  )
}

/**
 * The invoices are rendered one after the other, so that a customer with many invoices does not delay other requests
 * to Stripe or to this process.
 */
async function printInvoices(
  { stripe, pdfs }: Pick<Shop, 'stripe' | 'pdfs'>,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const printed = new Map<string, Uint8Array>()
  for (const id of ids) {
    const invoice = await findCustomerInvoice(stripe, id)
    if (!invoice) continue
    const print = await pdfs.prepare(invoice)
    printed.set(invoiceFileName(invoice.number ?? id), await print())
  }
  return printed
}
