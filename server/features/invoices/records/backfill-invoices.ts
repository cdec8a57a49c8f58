import type Stripe from 'stripe'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { linkInvoice } from './link-invoice.ts'

/**
 * Reads from Stripe the invoices that were created before the shop had customer records, newest first, a hundred at
 * a time, and links each invoice to its customer. Continues after an interruption, and does nothing once all
 * invoices are linked. Throws the errors of the Stripe SDK.
 */
export async function backfillInvoices(
  { stripe, database }: { readonly stripe: Stripe; readonly database: Database },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [state] = await database.transaction(asServer, (query) =>
      query(
        'select after_invoice_id, done_at is not null as "isDone" from internal.invoice_backfill',
      ),
    )
    if (!state || state.isDone) return
    const after = state.after_invoice_id
    const page = await stripe.invoices.list({ limit: 100, ...(after && { starting_after: after }) })
    await database.transaction(asServer, async (query) => {
      for (const invoice of page.data) await linkInvoice(query, invoice)
      await query(
        `update internal.invoice_backfill
         set after_invoice_id = coalesce($1, after_invoice_id), done_at = case when $2::boolean then null else now() end`,
        [page.data.at(-1)?.id ?? null, page.has_more],
      )
    })
  }
}

/** Makes the backfill read all invoices again, because the shop connected another Stripe account. */
export async function restartBackfill(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('update internal.invoice_backfill set after_invoice_id = null, done_at = null'),
  )
}
