import type Stripe from 'stripe'
import type { ResponseOf, RequestOf } from '#contracts/api/endpoint.ts'
import type { customerEndpoints } from '#contracts/customers.ts'
import { accepted, type Result } from '#domain/result.ts'
import { linkInvoice } from '#server/features/invoices/records/link-invoice.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { findCustomerInvoice } from './find-customer-invoice.ts'
import { toCustomerError } from './customer-errors.ts'
import { deleteEmailFiles } from './delete-email-files.ts'

type Shop = {
  readonly database: Database
  readonly stripe: Stripe
  /** The folder that stores emails as files when no mail server is configured. */
  readonly outboxFolder: string
}

type EraseRequest = Omit<RequestOf<typeof customerEndpoints.erase>, 'confirmation'> & {
  readonly byName: string
}
type Erased = Omit<ResponseOf<typeof customerEndpoints.erase>, 'ok'>

/**
 * Erases the personal data of a customer permanently (docs/product.md 16.9). Before the erasure, reads the state of
 * the customer's open invoices from Stripe. Deletes the email files before the rows that name them, so that an
 * interrupted erasure can be repeated.
 */
export async function eraseCustomer(
  shop: Shop,
  request: EraseRequest,
): Promise<Result<Erased, Refusal>> {
  const updated = await updateOpenInvoices(shop, request.customerId)
  if (!updated.ok) return updated
  return toCustomerError(() =>
    shop.database.transaction(asServer, async (query) => {
      const [row] = rowsAs<{ erased: Erased }>(
        await query('select internal.erase_customer($1, $2, $3, $4) as erased', [
          request.customerId,
          request.version,
          request.byName,
          request.excludedKeys,
        ]),
      )
      if (!row) throw new Error('internal.erase_customer returned no row')
      await deleteEmailFiles(query, shop.outboxFolder)
      const { retained, counts } = row.erased
      return { retained, counts }
    }),
  )
}

/**
 * Reads the customer's open invoices from Stripe and stores their current state, so that an invoice that was recently
 * paid or voided does not block the erasure.
 */
async function updateOpenInvoices(
  { database, stripe }: Shop,
  customerId: string,
): Promise<Result<undefined, Refusal>> {
  const open = await database.transaction(asServer, (query) =>
    query('select internal.list_open_customer_invoices($1) as id', [customerId]),
  )
  return callStripe({ otherwise: 'STRIPE_ERROR' }, async () => {
    for (const { id } of rowsAs<{ id: string }>(open)) {
      const invoice = await findCustomerInvoice(stripe, id)
      await database.transaction(asServer, async (query) => {
        if (invoice) await linkInvoice(query, invoice)
        else await query('select internal.record_missing_invoice($1)', [id])
      })
    }
    return accepted(undefined)
  })
}
