import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { expect, openDashboard, type Page, type Shop, signIn } from '#tests/browser/fixtures.ts'
import { makeInvoice } from '#tests/browser/payment/payment-steps.ts'

/**
 * Opens the dashboard page of the sample invoice, whose id is 'in_maria'. The page receives `invoice` in place of the
 * response of the data service (REST API).
 */
export async function openSampleInvoice(page: Page, invoice: InvoiceDetail | null): Promise<void> {
  await respondWith(page, invoice)
  await page.route('**/rpc/read_estimate', (route) => route.fulfill({ json: null }))
  await page.route('**/api/invoice/list*', (route) =>
    route.fulfill({
      json: {
        ok: true,
        invoices: [
          { id: 'in_maria', hosted_invoice_url: '/pay-invoice', invoice_pdf: '/pay-invoice' },
        ],
      },
    }),
  )
  await openDashboard(page, '/invoices/in_maria')
  if (invoice) await expect(page.getByRole('heading', { level: 2 })).toContainText('INV-2026')
}

/** Replaces the invoice in all later responses of the data service (REST API); null stands for an unknown invoice. */
export async function respondWith(page: Page, invoice: InvoiceDetail | null): Promise<void> {
  await page.route('**/rpc/read_invoice', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify(invoice) }),
  )
}

/** The total, in cents, of an invoice that `makeInvoice` creates. */
const madeCents = 54_950

/** Creates an open invoice; returns its id. */
export async function makeOpenInvoice(page: Page, shop: Shop): Promise<string> {
  const number = await makeInvoice(page)
  const { rows } = await shop.database.query<{ invoice_id: string }>(
    'select invoice_id from invoices where number = $1',
    [number],
  )
  return rows[0]?.invoice_id ?? ''
}

/** Records a payment at the counter, as another browser window would. */
export async function takePayment(
  page: Page,
  shop: Shop,
  invoiceId: string,
  amountCents: number = madeCents,
): Promise<void> {
  await signIn(page)
  const response = await page.request.post('/api/commands/take-payment', {
    headers: { origin: shop.url },
    data: {
      commandId: crypto.randomUUID(),
      input: {
        invoiceId,
        method: 'cash',
        amountCents,
        givenCents: null,
        reference: null,
        note: null,
        sendsReceipt: false,
      },
    },
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** Creates an invoice that was paid in cash; returns its id. */
export async function makePaidInvoice(page: Page, shop: Shop): Promise<string> {
  const id = await makeOpenInvoice(page, shop)
  await takePayment(page, shop, id)
  return id
}

/** Opens the page of an invoice in the dashboard and waits until the page shows the balance. */
export async function openInvoice(page: Page, id: string): Promise<void> {
  await openDashboard(page, `/invoices/${id}`)
  await expect(page.getByRole('region', { name: 'Balance' })).toBeVisible()
}
