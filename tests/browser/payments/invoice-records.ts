import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { Page, Shop } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/** Deletes all invoices and payments from the shop's own tables. */
export async function clearInvoices(shop: Shop): Promise<void> {
  await shop.database.query(truncateTables('public.invoices', 'public.payments'))
}

/**
 * Makes the list 'Sent Invoices' empty. Otherwise the site would add the invoices that other tests created at Stripe to
 * the shop's records.
 */
export async function withoutStripeInvoices(page: Page): Promise<void> {
  await page.route('**/api/invoice/list*', (route) =>
    route.fulfill({ json: { ok: true, invoices: [] } }),
  )
}

type NewInvoice = {
  number: string
  name: string
  cents: number
  /** The number of days since the invoice was created; 0 by default. */
  ageDays?: number
  status?: string
  currency?: string
}

/** Inserts an invoice that is due seven days after its creation; returns its id. */
export async function addInvoice(shop: Shop, invoice: NewInvoice): Promise<string> {
  const { number, name, cents, ageDays = 0, status = 'open' } = invoice
  const id = `in_${number}`
  await shop.database.query(
    `insert into invoices (invoice_id, number, customer_name, total_cents, tax_cents, due_date, currency, status, created_at)
     values ($1, $2, $3, $4, 0, $5, 'usd', $6, now() - $7 * interval '1 day')`,
    [id, number, name, cents, addDays(shopToday(new Date()), 7 - ageDays), status, ageDays],
  )
  return id
}

/** Inserts a payment into the ledger, as another browser window would. */
export async function addPayment(
  shop: Shop,
  payment: { invoiceId: string; cents: number; method?: 'cash' | 'card_terminal'; by?: string },
): Promise<void> {
  await shop.database.query(
    `insert into payments (invoice_id, kind, method, amount_cents, currency, recorded_by_name, paid_at)
     values ($1, 'payment', $2, $3, 'usd', $4, now())`,
    [payment.invoiceId, payment.method ?? 'cash', payment.cents, payment.by ?? 'lena'],
  )
}
