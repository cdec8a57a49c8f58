import { expect, expectAccessible, test } from '#tests/browser/fixtures.ts'
import { button, field, ledgerOf, openPanel, panel } from './take-payment-steps.ts'

test('An amount above the balance shows the change to give back, and one press enters the amount as the cash that the customer handed over @phone', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await page.keyboard.press('c')
  await field(page, 'Amount').fill('500')
  await expect(panel(page)).toContainText(
    'The balance is $498.57. Enter 498.57 and give $1.43 change.',
  )
  await page.keyboard.press('Enter')
  await expect(field(page, 'Amount')).toBeFocused()
  await expectAccessible(page)
  await button(page, 'Use $498.57, given $500.00').click()
  await expect(field(page, 'Amount')).toHaveValue('498.57')
  await expect(field(page, 'Given')).toHaveValue('500.00')
  await expect(panel(page).getByText('Change $1.43')).toBeVisible()
  expect(await ledgerOf(shop, number)).toEqual([])
})

test('Too little cash shows the missing amount, and staff can record it as a partial payment @phone', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await page.keyboard.press('c')
  await field(page, 'Given').fill('400')
  await expect(panel(page).getByText('Still missing $98.57')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('$98.57 is still missing.')
  await expectAccessible(page)
  expect(await ledgerOf(shop, number)).toEqual([])
  await button(page, 'Take $400.00 now, leave $98.57 open').click()
  await expect(panel(page)).toContainText('$400.00 in cash. $98.57 is still open.')
  expect(await ledgerOf(shop, number)).toMatchObject([{ cents: 40_000 }])
})

test('Invalid payment amounts are refused with a message', async ({ page, shop }) => {
  const number = await openPanel(page, shop)
  for (const [amount, message] of [
    ['0', 'Enter an amount above 0.'],
    ['0.001', 'Enter an amount in dollars and cents, like 498.57.'],
    ['-5', 'Enter an amount in dollars and cents, like 498.57.'],
    ['1000000000000', 'Enter an amount in dollars and cents, like 498.57.'],
    ['600', 'The balance is $498.57. Enter 498.57 or less.'],
  ] as const) {
    await field(page, 'Amount').fill(amount)
    await page.keyboard.press('Enter')
    await expect(panel(page)).toContainText(message)
  }
  expect(await ledgerOf(shop, number)).toEqual([])
})

test('A card number is removed from every text of a payment and never sent', async ({
  page,
  shop,
}) => {
  await openPanel(page, shop)
  await field(page, 'Last four digits').fill('4242 4242 4242 4242')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText(
    'The text looked like a card number, so it was removed and not saved. Enter the last four digits only.',
  )
  await expect(field(page, 'Last four digits')).toHaveValue('')
  await expectAccessible(page)
  await page.keyboard.type('4242')
  await panel(page).getByText('Note (optional)').click()
  await field(page, 'Note').fill('card 4000056655665556')
  await field(page, 'Amount').focus()
  await expect(field(page, 'Note')).toHaveValue('')
  await expect(panel(page)).toContainText('so it was removed and not saved.')
  await expect(field(page, 'Last four digits')).toHaveValue('4242')
})

test('Without a connection no payment is recorded, and the input is kept', async ({
  page,
  shop,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/, /ERR_/)
  const number = await openPanel(page, shop)
  await page.keyboard.press('c')
  await field(page, 'Given').fill('500')
  await context.setOffline(true)
  await expect(panel(page)).toContainText(
    'No connection. Nothing is saved until the connection is back.',
  )
  await expect(button(page, 'Take $498.57 in cash')).toHaveAttribute('aria-disabled', 'true')
  await field(page, 'Given').press('Enter')
  await context.setOffline(false)
  await expect(panel(page)).not.toContainText('No connection.')
  await expect(field(page, 'Given')).toHaveValue('500')
  expect(await ledgerOf(shop, number)).toEqual([])
  await field(page, 'Given').press('Enter')
  await expect(panel(page)).toContainText('$498.57 in cash. Paid in full.')
})
