import {
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  test,
} from '#tests/browser/fixtures.ts'
import { addInvoice, addPayment, clearInvoices, withoutStripeInvoices } from './invoice-records.ts'

test.beforeEach(async ({ page, shop }) => {
  await clearInvoices(shop)
  await withoutStripeInvoices(page)
})

const card = (page: Page) => page.getByRole('region', { name: 'Invoices', exact: true })
const row = (page: Page, number: string) => card(page).getByRole('row').filter({ hasText: number })
/**
 * Lists the numbers that begin with INV-A, as this test file numbers its invoices. The list may also contain invoices
 * that other tests created at Stripe.
 */
const numbers = (page: Page) =>
  card(page)
    .getByRole('link', { name: /^INV-A/ })
    .allTextContents()
const sum = (page: Page, name: string) =>
  card(page).locator('.invoice-sums > div').filter({ hasText: name })

test('The invoice list shows who owes the shop: sums, balances, states and days past due @phone', async ({
  page,
  shop,
}) => {
  await addInvoice(shop, { number: 'INV-A1', name: 'Maria Delgado', cents: 49_857 })
  const old = { number: 'INV-A2', name: 'Walt Jensen', cents: 128_605, ageDays: 12 }
  await addPayment(shop, { invoiceId: await addInvoice(shop, old), cents: 64_300 })
  await addInvoice(shop, { number: 'INV-A3', name: 'Priya Raman', cents: 100, status: 'void' })
  await openDashboard(page, '/invoices')
  await expect(row(page, 'INV-A1')).toContainText('Maria Delgado')
  await expect(row(page, 'INV-A1')).toContainText('$498.57')
  await expect(row(page, 'INV-A1')).toContainText('today')
  await expect(row(page, 'INV-A2')).toContainText('$643.05')
  await expect(row(page, 'INV-A2')).toContainText('part paid')
  await expect(row(page, 'INV-A2')).toContainText('12 days 5 days past due')
  await expect(row(page, 'INV-A3')).toHaveCount(0)
  await expect(sum(page, 'Open now')).toContainText('$1,141.62 2 invoices')
  await expect(sum(page, 'Past due')).toContainText('$643.05 1 invoice')
  await expect(sum(page, 'Part paid')).toContainText('$643.00 on 1 invoice')
  await expect(sum(page, 'Received today')).toContainText('$643.00 1 payment')
  await expect(card(page)).toContainText('2 open invoices. Newest first.')
  await expectAccessible(page)
})

test('The URL contains the filter of the invoice list, and a press of the column heading Age reverses the order', async ({
  page,
  shop,
}) => {
  await addInvoice(shop, { number: 'INV-A1', name: 'Maria Delgado', cents: 49_857 })
  await addInvoice(shop, { number: 'INV-A2', name: 'Walt Jensen', cents: 128_605, ageDays: 12 })
  await addInvoice(shop, { number: 'INV-A3', name: 'Grace Liu', cents: 100, status: 'void' })
  await openDashboard(page, '/invoices')
  await card(page).getByRole('button', { name: 'Past due (1)' }).click()
  await expect(page).toHaveURL(/\/invoices\?filter=past_due$/)
  await expect.poll(() => numbers(page)).toEqual(['INV-A2'])
  await page.reload()
  await expect.poll(() => numbers(page)).toEqual(['INV-A2'])
  await card(page).getByRole('button', { name: 'All invoices' }).click()
  await expect.poll(() => numbers(page)).toEqual(['INV-A3', 'INV-A1', 'INV-A2'])
  await card(page).getByRole('button', { name: 'Age' }).click()
  await expect.poll(() => numbers(page)).toEqual(['INV-A2', 'INV-A1', 'INV-A3'])
  await card(page).getByRole('button', { name: 'Open (2)' }).click()
  await expect(page).toHaveURL(/\/invoices$/)
})

test('A payment in another window updates the row of its invoice, which stays in its place until the user presses a filter', async ({
  page,
  shop,
}) => {
  await addInvoice(shop, { number: 'INV-A1', name: 'Maria Delgado', cents: 49_857 })
  const paid = { number: 'INV-A2', name: 'Walt Jensen', cents: 20_000, ageDays: 1 }
  const invoiceId = await addInvoice(shop, paid)
  await addInvoice(shop, { number: 'INV-A3', name: 'Grace Liu', cents: 100, ageDays: 2 })
  await openDashboard(page, '/invoices')
  await expect(row(page, 'INV-A2')).toContainText('open')
  await addPayment(shop, { invoiceId, cents: 20_000 })
  await expect(row(page, 'INV-A2')).toContainText('$0.00', { timeout: 2000 })
  await expect(row(page, 'INV-A2')).toContainText('paid')
  expect(await numbers(page)).toEqual(['INV-A1', 'INV-A2', 'INV-A3'])
  await expect(row(page, 'INV-A2').getByRole('button')).toHaveCount(0)
  await card(page).getByRole('button', { name: 'Open (2)' }).click()
  await expect.poll(() => numbers(page)).toEqual(['INV-A1', 'INV-A3'])
})

test('The arrow keys move the focus between the rows of invoices, and the I key focuses the form for a new invoice', async ({
  page,
  shop,
}) => {
  await addInvoice(shop, { number: 'INV-A1', name: 'Maria Delgado', cents: 49_857 })
  await addInvoice(shop, { number: 'INV-A2', name: 'Walt Jensen', cents: 100, ageDays: 1 })
  await openDashboard(page, '/invoices')
  await row(page, 'INV-A1').focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'INV-A2')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'INV-A2')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(row(page, 'INV-A1')).toBeFocused()
  await page.keyboard.press('i')
  await expect(page.getByLabel('Customer Name')).toBeFocused()
})

test('The invoice list shows a message without invoices, with paid invoices only, and without a response', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  await openDashboard(page, '/invoices')
  await expect(card(page)).toContainText(
    'No invoices yet. Create one from an approved estimate, or below.',
  )
  await expect(sum(page, 'Open now')).toContainText('$0.00 no invoices')
  await addInvoice(shop, { number: 'INV-A1', name: 'Ana Ruiz', cents: 100, status: 'void' })
  await expect(card(page)).toContainText('No open invoices. All invoices are paid.')
  expectedConsoleErrors.push(/Failed to load resource/)
  await page.route('**/rpc/list_invoices*', (route) => route.fulfill({ status: 503, body: '' }))
  await card(page).getByRole('button', { name: 'Void' }).click()
  await expect(card(page)).toContainText('The invoices could not be loaded.', { timeout: 20_000 })
  await page.unroute('**/rpc/list_invoices*')
  await card(page).getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'INV-A1')).toContainText('Ana Ruiz')
})

test('A link to an invoice that is too old for Sent Invoices highlights and focuses its row in the invoice list', async ({
  page,
  shop,
}) => {
  await addInvoice(shop, { number: 'INV-A1', name: 'Maria Delgado', cents: 49_857 })
  const old = { number: 'INV-A2', name: 'Walt Jensen', cents: 100, ageDays: 200, status: 'void' }
  const id = await addInvoice(shop, old)
  await openDashboard(page, `/invoices?invoice=${id}`)
  await expect(row(page, 'INV-A2')).toBeFocused()
  await expect(row(page, 'INV-A2')).toHaveAttribute('aria-selected', 'true')
})
