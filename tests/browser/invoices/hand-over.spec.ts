import { expect, expectAccessible, openDashboard, test } from '#tests/browser/fixtures.ts'
import type { Page } from '#tests/browser/fixtures.ts'
import { makeOpenInvoice } from './invoice-page-records.ts'

const panelName = /^Hand over the invoice/

/** Opens the panel 'Hand over…' with the keyboard. */
async function openPanel(page: Page, id: string) {
  await openDashboard(page, `/invoices/${id}`)
  await page.getByRole('button', { name: 'Hand over…' }).press('Enter')
  const panel = page.getByRole('dialog', { name: panelName })
  await expect(panel.getByRole('link', { name: 'Print invoice' })).toBeFocused()
  await expect(panel.getByRole('img', { name: 'QR code of the invoice' })).toBeVisible()
  return panel
}

test('Staff hand over an invoice, and the customer opens it by typing the short URL @phone', async ({
  page,
  shop,
}) => {
  const id = await makeOpenInvoice(page, shop)
  const panel = await openPanel(page, id)
  const code = panel.getByRole('img', { name: 'QR code of the invoice' })
  await expect
    .poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const address = panel.getByText(/\/i\/([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/)
  await expectAccessible(page)
  const typed = new URL(`http://${await address.textContent()}`).pathname.toLowerCase()

  await page.context().clearCookies()
  await page.goto(typed)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your balance is $549.50')
  await expect(page.getByRole('heading', { name: 'What we did' })).toBeVisible()
  const pdf = await page.request.get(
    (await page.getByRole('link', { name: 'Invoice PDF' }).getAttribute('href')) ?? '',
  )
  expect(pdf.headers()['content-type']).toBe('application/pdf')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pay $549.50 now' }).click()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
})

test('With the keyboard only, staff copy the link of an invoice, show the link as a QR code, and email the invoice', async ({
  page,
  context,
  shop,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await makeOpenInvoice(page, shop)
  const panel = await openPanel(page, id)
  await panel.getByRole('button', { name: 'Copy link' }).press('Enter')
  await expect(panel.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/i\/[\w-]{22}$/)

  const opener = panel.getByRole('button', { name: 'Show full screen' })
  await opener.press('Enter')
  const screen = page.getByRole('dialog', { name: 'Scan to pay' })
  await expect(screen.getByText('$549.50')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(screen).toBeHidden()
  await expect(opener).toBeFocused()

  const email = panel.getByRole('textbox', { name: /^Email/ })
  await email.fill('theo at example')
  await email.press('Enter')
  await expect(panel.getByText('Please enter a valid email address.')).toBeVisible()
  await email.fill('theo@example.com')
  await email.press('Enter')
  // The first PDF of a shop takes longer, because the server then loads the fonts.
  await expect(panel.getByText(/outbox|on its way/)).toBeVisible({ timeout: 30_000 })
  const { rows } = await shop.database.query(
    `select recipient_email from emails where invoice_id = $1 and recipient_email = 'theo@example.com'`,
    [id],
  )
  expect(rows).toHaveLength(1)
})

test('The button Take payment now in the panel Hand over opens the panel Take payment', async ({
  page,
  shop,
}) => {
  const id = await makeOpenInvoice(page, shop)
  const panel = await openPanel(page, id)
  await panel.getByRole('button', { name: 'Take payment now' }).press('Enter')
  await expect(page.getByRole('dialog', { name: /^Take payment/ })).toBeVisible()
  await expect(panel).toBeHidden()
})

test('Staff hand over an invoice from its row in the list @phone', async ({ page, shop }) => {
  await makeOpenInvoice(page, shop)
  await openDashboard(page, '/invoices')
  const rows = page.getByRole('grid', { name: 'Invoices' }).getByRole('row')
  const row = rows.filter({ hasText: 'Dana Whitfield' }).first()
  const opener = row.getByRole('button', { name: 'Hand over…' })
  await opener.press('Enter')
  const panel = page.getByRole('dialog', { name: panelName })
  await expect(panel.getByRole('img', { name: 'QR code of the invoice' })).toBeVisible()
  await expect(panel.getByText('$549.50')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(row).toBeFocused()
  await opener.press('Enter')
  await panel.getByRole('button', { name: 'Take payment now' }).press('Enter')
  await expect(page.getByRole('dialog', { name: /^Take payment/ })).toBeVisible()
})

test('A wrong invoice link shows a message, and the link of a void invoice states that the invoice is void @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 404/)
  await page.goto('/i/K7MT-4RWX-9BQZ')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is not valid.')
  await expect(page.getByText('Check the web address on your invoice')).toBeVisible()
  await expectAccessible(page)
  const id = await makeOpenInvoice(page, shop)
  const panel = await openPanel(page, id)
  const address = await panel.getByText(/\/i\/([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/).textContent()
  await shop.database.query('update invoices set voided_at = now() where invoice_id = $1', [id])
  await page.goto(new URL(`http://${address}`).pathname)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This invoice is void')
  await expectAccessible(page)
})
