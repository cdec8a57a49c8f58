import { expect, expectAccessible, test } from '#tests/browser/fixtures.ts'
import { addPayment } from './invoice-records.ts'
import { button, field, invoiceIdOf, openPanel, panel } from './take-payment-steps.ts'

test('A printed receipt shows the payment, the balance and the cash that the customer handed over on 80 mm and letter paper', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await addPayment(shop, { invoiceId: await invoiceIdOf(shop, number), cents: 9857 })
  await expect(field(page, 'Amount')).toHaveValue('400.00')
  await page.keyboard.press('c')
  await field(page, 'Amount').fill('300')
  await field(page, 'Given').fill('320')
  await panel(page).getByRole('radio', { name: 'Print' }).check()
  await button(page, 'Take $300.00 in cash').click()
  const print = panel(page).getByRole('link', { name: 'Print receipt' })
  await expect(print).toBeFocused()
  const [printed] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  const receipt = printed.getByRole('article')
  await expect(receipt).toContainText('Receipt for a part payment')
  await expect(receipt).toContainText('Paid before$98.57')
  await expect(receipt).toContainText('Cash, this payment$300.00')
  await expect(receipt).toContainText('Cash given$320.00')
  await expect(receipt).toContainText('Change$20.00')
  await expect(receipt).toContainText('Balance $100.00')
  await expect(receipt.getByRole('img', { name: 'QR code of the invoice' })).toBeVisible()
  await expect(receipt).toContainText(/Pay the balance.*\/i\/([A-Z2-9]{4}-){2}[A-Z2-9]{4}/)
  await expectAccessible(printed)
  await printed.getByRole('button', { name: 'Letter' }).click()
  await expect(receipt).toHaveClass(/receipt-sheet/)
  await printed.reload()
  await expect(receipt).toHaveClass(/receipt-sheet/)
})
