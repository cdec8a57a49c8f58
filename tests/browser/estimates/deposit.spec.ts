import {
  adminLogin,
  expect,
  expectAccessible,
  type Locator,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { enterCard } from '#tests/browser/payment/payment-steps.ts'
import { addEstimate, clearEstimates, openEstimate, resetEstimates } from './estimate-records.ts'

const jobs = [{ title: 'Front brakes', cents: 35_669 }] as const
const email = 'maria@customer.example'

test.beforeEach(async ({ shop, page }) => {
  // Another test may have left a booking at the time that a test of this file books.
  await clearBookings(shop)
  await clearEstimates(shop)
  await shop.database.query('update internal.admin_sessions set confirmed_until = null')
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  await resetEstimates(shop, page)
  await shop.database.query(truncateTables('public.payments', 'public.emails'))
})

test('staff request a deposit, the customer approves the estimate and pays the deposit, and staff refund the deposit @phone', async ({
  page,
  context,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/refund-deposit/)
  const id = await addEstimate(shop, { email, jobs })
  await openEstimate(page, id)
  const card = page.getByRole('region', { name: 'Deposit' })
  await card.getByRole('radio', { name: 'Amount' }).check()
  await card.getByLabel('Deposit, in dollars').fill('700.00')
  await card.getByRole('button', { name: 'Save deposit' }).click()
  await expect(card).toContainText('The deposit cannot be more than the estimate, $356.69.')
  await card.getByLabel('Deposit, in dollars').fill('150.00')
  await expectAccessible(page, '[aria-label="Deposit"]')
  await card.getByRole('button', { name: 'Save deposit' }).click()
  await expect(card).toContainText('The deposit is requested with the approval')
  await expect(page.getByText(`Requests a deposit of $150.00. To ${email}`)).toBeVisible()
  await page.getByRole('button', { name: 'Send for approval' }).click()
  await expect(page.getByRole('region', { name: 'Front brakes' })).toContainText('No answer yet')

  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  const customer = await context.newPage()
  await customer.goto(`/estimate/${rows[0]?.token}`)
  await expect(customer.getByText('Deposit now')).toBeVisible()
  await expectAccessible(customer)
  await customer.getByLabel(/^Type your name/).fill('Maria Delgado')
  await customer.getByRole('button', { name: 'Approve and pay $150.00' }).click()
  await customer.waitForURL(/\/sandbox\//)
  await customer.goto(`/estimate/${rows[0]?.token}`)
  await expect(customer.getByText('The deposit is not paid yet.')).toBeVisible()
  await expectAccessible(customer)
  await customer.getByRole('button', { name: 'Pay $150.00 deposit' }).click()
  await enterCard(customer, '4242 4242 4242 4242')
  await expect(
    customer.getByRole('heading', { name: 'Approved. Your deposit is here.' }),
  ).toBeVisible()
  await expectAccessible(customer)
  await customer.close()

  await expect(card).toContainText('$150.00')
  await card.getByRole('button', { name: 'Refund deposit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund deposit' })
  await dialog.getByRole('button', { name: 'Refund $150.00' }).click()
  await expect(dialog).toContainText('Please enter a reason.')
  await dialog.getByLabel(/^Reason/).fill('Customer sold the vehicle.')
  await expectAccessible(page, 'dialog')
  await dialog.getByRole('button', { name: 'Refund $150.00' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await expect(notification(page)).toContainText('Deposit refunded')
  await expect(card).toContainText('“Customer sold the vehicle.”')
})

test('staff record a deposit in cash and return the change', async ({ page, shop }) => {
  const card = await openApproved(page, shop)
  await card.getByRole('button', { name: 'Take $150.00 here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take deposit' })
  await dialog.getByLabel('Given, in dollars').fill('200')
  await expectAccessible(page, 'dialog')
  await dialog.getByRole('button', { name: 'Take $150.00 in cash' }).click()
  const taken = page.getByRole('dialog', { name: 'Deposit taken' })
  await expect(taken).toContainText('$50.00')
  await expectAccessible(page, 'dialog')
  const print = taken.getByRole('link', { name: 'Print receipt' })
  const [printed] = await Promise.all([page.waitForEvent('popup'), print.press('Enter')])
  const receipt = printed.getByRole('article')
  await expect(receipt).toContainText('Receipt for a deposit')
  await expect(receipt).toContainText('Cash$150.00')
  await expect(receipt).toContainText('Change$50.00')
  await expectAccessible(printed)
  await printed.getByRole('button', { name: 'Letter' }).click()
  await expect(receipt).toHaveClass(/receipt-sheet/)
  await printed.close()
  await taken.getByRole('button', { name: 'Done' }).click()
  await expect(card).toContainText('Deducted from the invoice automatically.')
  await expect(card.getByRole('link', { name: /^Receipt/ })).toBeVisible()
})

test('Before a deposit is refunded, the dialog shows the email with the refund method @phone', async ({
  page,
  shop,
}) => {
  const card = await openApproved(page, shop)
  await card.getByRole('button', { name: 'Take $150.00 here' }).click()
  const taking = page.getByRole('dialog', { name: 'Take deposit' })
  await taking.getByRole('button', { name: 'Take $150.00 in cash' }).click()
  await page
    .getByRole('dialog', { name: 'Deposit taken' })
    .getByRole('button', { name: 'Done' })
    .click()
  await card.getByRole('button', { name: 'Refund deposit…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Refund deposit' })
  await expect(dialog).toContainText('returns $150.00 to you in cash.')
  await dialog.getByLabel('Refund by').selectOption('Check')
  await dialog.getByRole('button', { name: 'Refund $150.00' }).press('Enter')
  await expect(dialog).toContainText('Please fill in: Check number.')
  await dialog.getByLabel(/^Check number/).fill('2207')
  await expect(dialog).toContainText('returns $150.00 to you by check 2207.')
  await expectAccessible(page, 'dialog')
})

test('Staff correct the method of a paid deposit, and a returned check makes the deposit due again @phone', async ({
  page,
  shop,
}) => {
  const card = await openApproved(page, shop)
  await card.getByRole('button', { name: 'Take $150.00 here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take deposit' })
  await dialog.getByRole('button', { name: 'Take $150.00 in cash' }).click()
  const taken = page.getByRole('dialog', { name: 'Deposit taken' })
  await taken.getByRole('button', { name: 'Done' }).click()
  await expect(taken).toBeHidden()
  await card.getByRole('button', { name: /^Recorded wrongly…/ }).press('Enter')
  const correction = page.getByRole('dialog', { name: 'Recorded wrongly' })
  await correction.getByLabel('It was paid by').selectOption('Check')
  await correction.getByLabel('Check number').fill('1042')
  await correction.getByLabel('Reason').fill('It was a check')
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('$150.00 is held.')
  await expect(card).toContainText('Reversed')
  await card.getByRole('button', { name: /^Returned check…/ }).press('Enter')
  const returned = page.getByRole('dialog', { name: 'Returned check' })
  await expect(returned).toContainText('Number 1042')
  await returned.getByLabel('Reason').fill('Not enough funds')
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Enter')
  await expect(card).toContainText('Returned by the bank')
  await expect(card.getByRole('button', { name: 'Take $150.00 here' })).toBeVisible()
  await expectAccessible(page, '[aria-label="Deposit"]')
})

test('An estimate appears on the page together with its deposit, so that no button moves while it is pressed', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs })
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/rpc/read_deposit', async (route) => {
    await isReleased
    await route.continue()
  })
  const others = Promise.all([
    page.waitForResponse('**/rpc/read_estimate'),
    page.waitForResponse(/labor_rate/),
  ])
  await page.goto(`/admin-dashboard/estimates/${id}`)
  await Promise.all((await others).map((response) => response.finished()))
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const approval = page.getByRole('button', { name: 'Record phone approval' })
  await expect(approval).toHaveCount(0)
  release()
  await approval.waitFor()
  expect(await page.getByRole('region', { name: 'Deposit' }).isVisible()).toBe(true)
})

/** Records a cash payment of the deposit, creates the invoice, and opens the invoice. */
async function openInvoiceWithDeposit(page: Page, shop: Shop): Promise<void> {
  const card = await openApproved(page, shop)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await card.getByRole('button', { name: 'Take $150.00 here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take deposit' })
  await dialog.getByRole('button', { name: 'Take $150.00 in cash' }).click()
  await expect(page.getByRole('dialog', { name: 'Deposit taken' })).toBeVisible()
  const { rows } = await shop.database.query<{ version: number }>(
    'select version from estimates where id = $1',
    [id],
  )
  const made = await page.request.post('/api/admin/estimate/invoice', {
    data: { estimateId: id, seenVersion: rows[0]?.version },
  })
  const { invoice } = (await made.json()) as { invoice: { id: string } }
  await page.goto(`/admin-dashboard/invoices/${invoice.id}`)
}

test('Staff correct the method of a deposit on its invoice @phone', async ({ page, shop }) => {
  await openInvoiceWithDeposit(page, shop)
  const ledger = page.getByRole('region', { name: 'Payments and refunds' })
  await expect(ledger).toContainText('Deposit: Cash')
  await ledger.getByRole('button', { name: /^Recorded wrongly…/ }).press('Enter')
  const correction = page.getByRole('dialog', { name: 'Recorded wrongly' })
  await expect(correction.getByLabel('Invoice that it paid')).toHaveCount(0)
  await correction.getByLabel('It was paid by').selectOption('Check')
  await correction.getByLabel('Check number').fill('1042')
  await correction.getByLabel('Reason').fill('It was a check')
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('The balance of this invoice is $206.69.')
  const lines = ledger.getByRole('listitem')
  await expect(lines.nth(0)).toContainText('Deposit: Check')
  await expect(lines.nth(1)).toContainText('Deposit removed: Cash')
  await expect(lines.nth(2)).toContainText('reversed')
  await expectAccessible(page)
})

test('Staff refund a deposit from its line on the paid invoice', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/refund-payment/)
  await openInvoiceWithDeposit(page, shop)
  await page.getByRole('button', { name: /^Take payment/ }).click()
  await page.getByRole('dialog').getByRole('radio', { name: 'Cash' }).check()
  await page.getByRole('button', { name: 'Take $206.69 in cash' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const ledger = page.getByRole('region', { name: 'Payments and refunds' })
  await ledger.getByRole('button', { name: /^Refund….*Deposit: Cash/ }).click()
  const refund = page.getByRole('dialog', { name: /^Refund/ })
  await refund.getByLabel('Reason').fill('As agreed')
  await refund.getByRole('button', { name: 'Refund $150.00 in cash' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await expect(ledger.getByRole('listitem').last()).toContainText(/Refund.*150\.00/)
})

test('Staff remind the customer of a due deposit, and record its payment in the panel of the booking @phone', async ({
  page,
  shop,
}) => {
  const card = await openApproved(page, shop)
  await card.getByRole('button', { name: 'Remind by email' }).press('Enter')
  await expect(notification(page)).toContainText('Reminder sent')
  await expectAccessible(page, '[aria-label="Deposit"]')
  const { rows } = await shop.database.query<{ recipient_email: string }>(
    `select recipient_email from emails where kind = 'payment_request'`,
  )
  expect(rows).toEqual([{ recipient_email: email }])
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await page.route('**/rpc/list_repair_records', (route) => {
    const estimate = { kind: 'estimate', id, label: 'E-0094', state: 'approved' }
    return route.fulfill({ json: [{ ...estimate, at: '2026-11-24T12:00:00Z' }] })
  })
  const booking = await addBooking(shop, {
    time: '14:30',
    name: 'June Albright',
    status: 'in_work',
  })
  await page.goto(`/admin-dashboard/day/${shopToday(new Date())}?booking=${booking}`)
  const panel = page.getByRole('dialog', { name: 'June Albright' })
  const deposit = panel.getByRole('region', { name: 'Deposit' })
  await expect(deposit).toContainText('$356.69 approved. Not paid yet.')
  await expectAccessible(page)
  await deposit.getByRole('button', { name: 'Take $150.00 here' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Take deposit' })
  await dialog.getByRole('button', { name: 'Take $150.00 in cash' }).click()
  await page
    .getByRole('dialog', { name: 'Deposit taken' })
    .getByRole('button', { name: 'Done' })
    .click()
  await expect(deposit).toContainText('Held until the invoice is created')
  await expectAccessible(page)
  await clearBookings(shop)
})

/** Opens a fully approved estimate with an unpaid deposit of $150; returns the page region 'Deposit'. */
async function openApproved(page: Page, shop: Shop): Promise<Locator> {
  const id = await addEstimate(shop, { email, jobs })
  await shop.database.query(
    `insert into public.deposits (estimate_id, amount_cents, asked_by_name, asked_at) values ($1, 15000, 'ana', now())`,
    [id],
  )
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  const approval = page.getByRole('dialog', { name: 'Record an approval' })
  await approval.getByLabel('Front brakes').selectOption('Approved')
  await approval.getByRole('button', { name: 'Record $356.69' }).click()
  await expect(approval).toBeHidden()
  return page.getByRole('region', { name: 'Deposit' })
}
