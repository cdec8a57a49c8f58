import type Stripe from 'stripe'
import type { Query } from '@local/postgres'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { readInvoiceCount } from './assign-invoice-number.ts'

/** One page of Stripe. More invoices than this are not made in the two minutes of which the backup may not know. */
const newestInvoices = 100
/** The time that the start of a restored shop waits for Stripe. */
const answerMs = 5_000

/**
 * Lets the invoice numbers of a restored shop continue above the newest ones at Stripe, once after each restore. While
 * Stripe does not answer, the numbers skip those that the backup may not know, and the next call asks again.
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

/** Whether this shop was restored, and its invoice numbers were not yet compared with those at Stripe. */
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
      'Stripe did not name its newest invoices after the restore: the numbers of new invoices continue 20 above the last one that the backup knows',
      error,
    )
    return undefined
  }
}
