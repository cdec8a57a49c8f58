import {
  expect,
  type Locator,
  openDashboard,
  type Page,
  type Shop,
} from '#tests/browser/fixtures.ts'
import { makeInvoice } from '#tests/browser/payment/payment-steps.ts'
import { clearInvoices } from './invoice-records.ts'

/** Returns the panel 'Take payment', which shows the result under another title after the payment. */
export const panel = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^(Take payment|Payment taken|Already paid online)/ })

export const field = (page: Page, name: string) => panel(page).getByRole('textbox', { name })
export const button = (page: Page, name: string | RegExp) =>
  panel(page).getByRole('button', { name })

/** Returns the row of an invoice in the list. */
export const row = (page: Page, number: string) =>
  page.getByRole('grid', { name: 'Invoices' }).getByRole('row').filter({ hasText: number })

/**
 * Creates Maria's invoice of $498.57 and opens the list of invoices in a browser that last used the given payment
 * method.
 */
export async function openList(page: Page, shop: Shop, lastWay = 'card_terminal'): Promise<string> {
  await clearInvoices(shop)
  const number = await makeInvoice(page, {
    customer: { name: 'Maria Delgado', email: 'maria.delgado@example.com', phone: '' },
    lineItems: [{ description: 'Front brakes', amount: '498.57', quantity: 1 }],
  })
  await page.addInitScript((way) => localStorage.setItem('admin_payment_method', way), lastWay)
  await openDashboard(page, '/invoices')
  await expect(row(page, number)).toContainText('$498.57')
  return number
}

/** Opens the panel by pressing P on the invoice's row. */
export async function openPanel(page: Page, shop: Shop, lastWay?: string): Promise<string> {
  const number = await openList(page, shop, lastWay)
  await row(page, number).focus()
  await page.keyboard.press('p')
  await expect(panel(page)).toBeVisible()
  return number
}

/** Reads the ledger lines of an invoice. */
export async function ledgerOf(shop: Shop, number: string) {
  const { rows } = await shop.database.query<{
    method: string
    cents: number
    reference: string | null
    note: string | null
  }>(
    `select method, amount_cents as cents, reference, note from payments
     where invoice_id = (select invoice_id from invoices where number = $1) order by recorded_at`,
    [number],
  )
  return rows
}

export async function invoiceIdOf(shop: Shop, number: string): Promise<string> {
  const { rows } = await shop.database.query<{ invoice_id: string }>(
    'select invoice_id from invoices where number = $1',
    [number],
  )
  return rows[0]?.invoice_id ?? ''
}
