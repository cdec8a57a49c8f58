import { expect, expectAccessible, type Page, test } from '#tests/browser/fixtures.ts'
import { addPayment } from './invoice-records.ts'
import {
  button,
  field,
  invoiceIdOf,
  ledgerOf,
  openPanel,
  panel,
  row,
} from './take-payment-steps.ts'

const command = '**/api/commands/take-payment'

/** Replaces the server's response to the command that takes a payment. */
const respond = (page: Page, status: number, json: object) =>
  page.route(command, (route) => route.fulfill({ status, json }))

const taken = {
  paymentId: '00000000-0000-4000-8000-000000000000',
  amountCents: 49_857,
  changeCents: 143,
  roundingCents: 0,
  balanceCents: 0,
  paidAt: '2026-11-27T17:12:00Z',
  receiptEmail: null,
  receiptEmailId: null,
}

test('A payment whose response is lost is recorded once, and the panel shows it', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  const number = await openPanel(page, shop)
  await field(page, 'Amount').fill('200')
  await page.route(
    command,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText(
    'No response. The payment may or may not have been recorded.',
  )
  await expect(panel(page)).toContainText(/admin took \$200.00 by terminal/)
  await expect(field(page, 'Amount')).toHaveValue('200')
  await button(page, 'Take $200.00 by terminal').click()
  await expect(panel(page)).toContainText('$200.00 by terminal. $298.57 is still open.')
  expect(await ledgerOf(shop, number)).toMatchObject([{ cents: 20_000 }])
})

test('Pressing the payment button twice records only one payment', async ({ page, shop }) => {
  const number = await openPanel(page, shop)
  const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
  let requests = 0
  await page.route(command, async (route) => {
    requests += 1
    await seen
    await route.continue()
  })
  await field(page, 'Amount').fill('100')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Taking…')).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeVisible()
  goOn()
  await expect(panel(page)).toContainText('$100.00 by terminal. $398.57 is still open.')
  expect(requests).toBe(1)
  expect(await ledgerOf(shop, number)).toMatchObject([{ cents: 10_000 }])
})

test('A partial payment from another window corrects the amount in the panel Take payment and shows a notice', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await field(page, 'Amount').fill('400')
  await addPayment(shop, { invoiceId: await invoiceIdOf(shop, number), cents: 20_000 })
  await expect(panel(page)).toContainText(/lena took \$200.00 in cash (just now|\d+ seconds? ago)/)
  await expect(panel(page)).toContainText(
    'The balance is now $298.57. Your amount was changed to this balance. Check the amount before you take the money.',
  )
  await expect(field(page, 'Amount')).toHaveValue('298.57')
  await expectAccessible(page)
  await button(page, 'Take $298.57 by terminal').click()
  await expect(panel(page)).toContainText('Paid in full.')
})

test('After another window recorded the whole balance, the panel Take payment has nothing to record', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await addPayment(shop, { invoiceId: await invoiceIdOf(shop, number), cents: 49_857 })
  await expect(panel(page)).toContainText('This invoice is paid. No payment is due.')
  await expect(panel(page)).toContainText('lena took $498.57 in cash')
  await expectAccessible(page)
  await button(page, 'Close').last().click()
  await expect(row(page, number)).toBeFocused()
})

test('When the database refuses an amount above the balance, the amount field shows the error', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openPanel(page, shop)
  const cause = {
    code: 'TT102',
    message: 'A payment is never above the balance.',
    hint: 'above_balance',
    details: JSON.stringify({ balanceCents: 29_857, excessCents: 20_000 }),
  }
  await respond(page, 400, { ok: false, code: 'REFUSED_BY_DATABASE', message: '', cause })
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('The balance is $298.57. Enter 298.57 or less.')
})

test('When the customer has already paid online, staff return the whole cash to the customer @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openPanel(page, shop)
  await page.keyboard.press('c')
  await field(page, 'Given').fill('500')
  await respond(page, 409, { ok: false, code: 'PAID_ONLINE', message: '' })
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Already paid online')
  await expect(panel(page)).toContainText('Your cash payment was not recorded.')
  await expect(panel(page).getByText('Give back $500.00')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'I gave back $500.00').click()
  await expect(panel(page)).toBeHidden()
})

test('The panel Take payment states that the payment provider did not respond, or that the payment page was closed', async ({
  page,
  shop,
}) => {
  await openPanel(page, shop)
  await respond(page, 200, { ok: true, result: { ...taken, paymentPage: 'unknown' } })
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Recorded here. The payment provider does not answer.')
  await expect(panel(page)).toContainText('a payment made there is refunded automatically')
  await expectAccessible(page)
  await button(page, 'Done').click()
  await page.unroute(command)
  await openPanel(page, shop)
  await respond(page, 200, { ok: true, result: { ...taken, paymentPage: 'closed' } })
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('The payment page now says that this invoice is paid.')
})

test('A notice states that the customer’s payment page is open, and its button closes the panel', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await shop.database.query(
    `insert into internal.payment_pages (invoice_id, amount_cents, opened_at, expires_at)
     values ($1, 49857, now() - interval '1 minute', now() + interval '29 minutes')`,
    [await invoiceIdOf(shop, number)],
  )
  await page.reload()
  await expect(panel(page)).toContainText('Maria Delgado is paying this invoice online right now')
  await expect(panel(page)).toContainText('1 minute ago. Ask the customer to finish or to stop.')
  await expect(button(page, 'Close online page, take $498.57 by terminal')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Wait for the online payment').click()
  await expect(panel(page)).toBeHidden()
})
