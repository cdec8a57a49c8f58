import { expect, expectAccessible, openDashboard, test } from '#tests/browser/fixtures.ts'
import { makeOpenInvoice } from './invoice-page-records.ts'

test('An invoice is handed over, and the customer opens it with the typed address @phone', async ({
  page,
  shop,
}) => {
  const id = await makeOpenInvoice(page, shop)
  await openDashboard(page, `/invoices/${id}`)
  await page.getByRole('button', { name: 'Hand over…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the invoice' })
  const code = dialog.getByRole('img', { name: 'QR code of the invoice' })
  await expect(code).toBeVisible()
  await expect
    .poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const address = dialog.getByText(/\/i\/([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/)
  await expectAccessible(page)
  const typed = new URL(`http://${await address.textContent()}`).pathname.toLowerCase()

  await page.context().clearCookies()
  await page.goto(typed)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your balance is $549.50')
  await expect(page.getByRole('heading', { name: 'What we did' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pay $549.50 now' }).click()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
})
