import type Stripe from 'stripe'
import type { Query } from '@local/postgres'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { readInvoiceCount } from './assign-invoice-number.ts'

/**
 * The number of newest invoices that are read from Stripe: one page of Stripe's list. A backup lacks at most the last
 * two minutes before a failure, and no shop creates more than 100 invoices in two minutes.
 */
const newestInvoices = 100
/** The time limit in milliseconds for Stripe's response, because the start of a restored shop waits for it. */
const answerMs = 5_000

/**
 * Raises the invoice count of a restored shop to at least the highest count in the newest invoices at Stripe, so that
 * no number is assigned twice. Runs once after each restore. If Stripe does not respond, the next call tries again.
 * Until then, the invoice count is 20 above the count in the backup, because the restore added 20.
 */
export async function checkInvoiceNumbers(context: PaymentContext): Promise<void> {
  const { database } = context
  if (!(await database.transaction(asServer, hasUncheckedNumbers))) return
  const invoices = await listNewest(context)
  if (!invoices) return
  const counts = invoices.flatMap(({ number }) => readInvoiceCount(number ?? '') ?? [])
  await database.transaction(asServer, (query) =>
    query('select internal.raise_invoice_count($1)', [Math.max(0, ...counts)]),
  )
}

/**
 * Whether this shop was restored from a backup and its invoice numbers were not yet compared with the invoices at
 * Stripe.
 */
export async function hasUncheckedNumbers(query: Query): Promise<boolean> {
  const [row] = await query(
    `select exists (select from internal.restored_shop where numbers_checked_at is null) as "areUnchecked"`,
  )
  return row?.areUnchecked === true
}

async function listNewest({
  stripe,
  report,
}: PaymentContext): Promise<readonly Stripe.Invoice[] | undefined> {
  try {
    const options = { timeout: answerMs, maxNetworkRetries: 0 }
    const { data } = await stripe.invoices.list({ limit: newestInvoices }, options)
    return data
  } catch (error) {
    if (!stripeFailure(error)) throw error
    report(
      'Stripe did not return its newest invoices after the restore, so the numbers of new invoices continue 20 above the last number in the backup',
      error,
    )
    return undefined
  }
}
