import {
  adminLogin,
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import { resetShop } from '#tests/browser/sample-records.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

const friday = '/day-close/2026-11-27'
const emptyLedger = truncateTables(
  'public.payments',
  'public.invoices',
  'public.day_closes',
  'public.cash_movements',
)

test.beforeEach(async ({ shop }) => {
  await resetShop(shop)
  await shop.database.query(emptyLedger)
  // The time of the tests: Friday, November 27, 7:06 PM at the shop.
  await shop.setClock('2026-11-28T03:06:00Z')
})
test.afterEach(async ({ shop }) => {
  await shop.setClock(undefined)
  await shop.database.query(emptyLedger)
  await shop.database.query(
    `update booking_rules set counts_cash_before_expected = false, close_print_format = 'receipt'`,
  )
})

type Payment = { method?: string; cents: number; at?: string; by?: string }

async function addPayment({ database }: Shop, payment: Payment): Promise<string> {
  const { method = 'cash', cents, at, by = 'Lena' } = payment
  const { rows } = await database.query<{ id: string }>(
    `insert into payments (invoice_id, kind, method, amount_cents, currency, reference, payment_intent_id,
       recorded_by_name, paid_at, recorded_at)
     values ('in_grace', 'payment', $1, $2, 'usd', case when $1 = 'check' then '1042' end,
       case when $1 = 'card_online' then gen_random_uuid()::text end, $3,
       coalesce($4, internal.current_instant()),
       internal.current_instant() + (select count(*) from payments) * interval '1 millisecond')
     returning id`,
    [method, cents, by, at],
  )
  return rows[0]?.id ?? ''
}

/** Adds ten ledger lines on a Friday, which together add $319.95 in cash to the drawer. */
async function addFriday(shop: Shop): Promise<void> {
  await shop.database.query(
    `insert into invoices (invoice_id, number, customer_name, total_cents, currency, status, created_at)
     values ('in_grace', 'INV-1', 'Grace Liu', 200000, 'usd', 'open', internal.current_instant())`,
  )
  const original = await addPayment(shop, { cents: 20_000 })
  for (const cents of [10_000, 3995]) await addPayment(shop, { cents })
  for (const cents of [40_000, 20_000, 8182])
    await addPayment(shop, { cents, method: 'card_terminal' })
  for (const cents of [50_000, 3200]) await addPayment(shop, { cents, method: 'card_online' })
  await addPayment(shop, { cents: 41_280, method: 'check' })
  await shop.database.query(
    `insert into payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at, recorded_at)
     values ('in_grace', 'refund', 'cash', $1, -2000, 'usd', internal.current_instant(), internal.current_instant())`,
    [original],
  )
}

/** Closes the day as another browser window would, with opening cash of $200.00 and a matching count. */
async function closeElsewhere({ database }: Shop, expectedCents: number): Promise<void> {
  const close = {
    date: '2026-11-27',
    startCents: 20_000,
    counted: { 1: expectedCents % 100, 100: Math.floor(expectedCents / 100) },
    seenExpectedCents: expectedCents,
    remainsCents: 20_000,
  }
  const client = await database.connect()
  await client.query('begin')
  await client.query(
    `select set_config('request.jwt.claims',
       jsonb_build_object('sub', user_id, 'app_metadata', '{"username": "Lena"}'::jsonb)::text, true)
     from staff_accounts where username = $1`,
    [adminLogin.username],
  )
  await client.query('select public.close_day($1)', [close])
  await client.query('commit')
  client.release()
}

const closeButton = (page: Page) =>
  page.getByRole('complementary').getByRole('button', { name: /^Close Friday/ })

/** Types the count of the drawer with the keyboard: $515.95, which is four dollars less than expected. */
async function countWithKeys(page: Page): Promise<void> {
  await page.getByLabel('In the drawer when the day began').focus()
  await page.keyboard.type('200')
  for (const count of ['', '2', '1', '9', '4', '5', '', '17', '', '14', '4', '1', '']) {
    await page.keyboard.type(count)
    await page.keyboard.press('Enter')
  }
}

test('Staff count the drawer, explain a difference, confirm and correct a day close by keyboard alone @phone', async ({
  page,
  shop,
}) => {
  await addFriday(shop)
  await openDashboard(page, '/today')
  await page.getByRole('link', { name: 'Close the day' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Close Friday, November 27' })).toBeVisible()
  await expect(page.getByText('9 payments, 1 refund')).toBeVisible()
  await expect(closeButton(page)).toBeDisabled()
  await expectAccessible(page)
  await countWithKeys(page)
  await expect(page.getByLabel('Terminal, counted')).toBeFocused()
  await page.keyboard.type('681.82')
  await page.keyboard.press('Enter')
  await page.keyboard.type('412.80')
  await expect(page.getByText('$4.00 short')).toHaveCount(2)
  await expect(page.getByText('matches')).toHaveCount(3)
  await closeButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please choose a reason for $4.00 short.')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Wrong')
  await page.getByLabel('Note (optional)').focus()
  await page.keyboard.type('Gave a five instead of a one')
  await closeButton(page).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Keep counting' })).toBeFocused()
  await expect(dialog).toContainText('$315.95 for the bank, $200.00 stays in the drawer.')
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Closed at 7:06 PM by admin' })).toBeFocused()
  await expect(page.getByText('“Wrong change given. Gave a five instead of a one.”')).toBeVisible()
  await expect(page.getByText('$200.00 start for Saturday.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a correction' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Amount').fill('2')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter a reason.')).toBeVisible()
  await page.keyboard.type('Two singles found under the tray')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two singles found under the tray: $2.00 short')).toBeVisible()
})

test('After a day close, Today shows the sum of the closed day and the payments that count for the next day', async ({
  page,
  shop,
}) => {
  await addFriday(shop)
  await closeElsewhere(shop, 51_995)
  await addPayment(shop, { cents: 6000 })
  await openDashboard(page, '/today')
  await expect(page.getByText('$1,946.57').first()).toBeVisible()
  await expect(
    page.getByText('Received after today’s close, counted for Saturday, November 28: $60.00'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Show the close' }).click()
  await expect(page.getByRole('heading', { name: 'Closed at 7:06 PM by Lena' })).toBeVisible()
})

test('A cash payment that is recorded while staff count changes the expected cash and keeps the entered count', async ({
  page,
  shop,
}) => {
  await addFriday(shop)
  await openDashboard(page, friday)
  await countWithKeys(page)
  await addPayment(shop, { cents: 6000 })
  const notice = page.getByRole('alert').filter({ hasText: 'Lena took $60.00 in cash at 7:06 PM' })
  await expect(notice).toContainText('Expected cash is now $579.95. Your count is kept.')
  await expect(page.getByLabel('$20', { exact: true })).toHaveValue('9')
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Keep my count' }).click()
  await expect(notice).toHaveCount(0)
  await expect(page.getByText('$64.00 short')).toHaveCount(2)
})

test('When another user closes the day, the page keeps the entered count until the user opens the finished close', async ({
  page,
  shop,
}) => {
  await addFriday(shop)
  await openDashboard(page, friday)
  await countWithKeys(page)
  await closeElsewhere(shop, 51_995)
  await expect(page.getByText('Lena closed this day at 7:06 PM')).toBeVisible()
  await expect(page.getByLabel('$20', { exact: true })).toHaveValue('9')
  await expect(closeButton(page)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show the closed day' }).click()
  await expect(page.getByRole('heading', { name: 'Closed at 7:06 PM by Lena' })).toBeVisible()
})

test('An earlier unclosed day must be closed first, which Today and the page of the day close show', async ({
  page,
  shop,
}) => {
  await addPayment(shop, { cents: 21_235, at: '2026-11-25T20:00:00Z' })
  await addFriday(shop)
  await openDashboard(page, '/today')
  await expect(page.getByRole('link', { name: /November 25 is not closed/ })).toContainText(
    '1 payment, $212.35 in cash',
  )
  await page.goto(`/admin-dashboard${friday}`)
  await expect(page.getByText('Wednesday, November 25 was not closed')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Close Wednesday' }).click()
  await expect(page.getByRole('heading', { name: 'Close Wednesday, November 25' })).toBeVisible()
})

test('A day without a payment needs no close, and cash can be paid in and out of an open day', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400 \(Bad Request\)/)
  await openDashboard(page, friday)
  await expect(
    page.getByText('No payments on Friday, November 27. Nothing to close.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Paid out' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Taken out of the drawer').fill('0')
  await dialog.getByRole('button', { name: 'Record paid out' }).click()
  await expect(dialog.getByText('Please enter an amount above 0')).toBeVisible()
  await dialog.getByLabel('Taken out of the drawer').fill('12.50')
  await dialog.getByLabel('Reason').fill('Card 4242 4242 4242 4242')
  await dialog.getByRole('button', { name: 'Record paid out' }).click()
  await expect(
    dialog.getByText('The text contains a card number. Remove the number.'),
  ).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Reason').fill('Oil filters')
  await dialog.getByRole('button', { name: 'Record paid out' }).click()
  await expect(page.getByText('Paid out $12.50: Oil filters')).toBeVisible()
  await expect(page.getByText('−$12.50 paid out')).toBeVisible()
  const { rows } = await shop.database.query('select kind, amount_cents from cash_movements')
  expect(rows).toEqual([{ kind: 'paid_out', amount_cents: 1250 }])
})

test('A blind count shows the expected cash only after staff counted the drawer', async ({
  page,
  shop,
}) => {
  await addFriday(shop)
  await openDashboard(page, '/settings/payments')
  await page
    .getByRole('switch', { name: 'Staff count the cash before they see the expected cash' })
    .click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByLabel('Print the day close on').selectOption('Letter')
  await page.goto(`/admin-dashboard${friday}`)
  await expect(page.getByText('The expected cash is shown afterwards.')).toBeVisible()
  await countWithKeys(page)
  await expect(page.getByText('$519.95')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the expected cash' }).click()
  await expect(page.getByText('$519.95')).toHaveCount(2)
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.getByRole('radio', { name: 'Letter' })).toBeChecked()
})

test('After a lost connection or a failed load, the page keeps the entered count and states that no day was closed', async ({
  page,
  shop,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/, /500/, /503/)
  await addFriday(shop)
  await openDashboard(page, friday)
  await countWithKeys(page)
  await context.setOffline(true)
  await expect(page.getByText('No connection. Your count is kept')).toBeVisible()
  await expect(closeButton(page)).toBeDisabled()
  await context.setOffline(false)
  await expect(closeButton(page)).toBeEnabled()
  await page.getByLabel('Reason').selectOption('Wrong change given')
  await page.route('**/api/commands/close-day', (route) =>
    route.fulfill({ status: 503, json: { ok: false, code: 'UNAVAILABLE', message: 'Down.' } }),
  )
  await closeButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click()
  await expect(page.getByText('The day was not closed.')).toBeVisible()
  await page.route('**/rpc/read_day_close*', (route) => route.fulfill({ status: 500, json: {} }))
  await addPayment(shop, { cents: 6000 })
  await expect(page.getByText('This day could not be loaded.')).toBeVisible()
  await expect(page.getByLabel('$20', { exact: true })).toHaveValue('9')
  await expectAccessible(page)
})

test('A day close is printed on 80 mm or letter paper', async ({ page, shop }) => {
  await addFriday(shop)
  await closeElsewhere(shop, 51_995)
  await openDashboard(page, friday)
  const printButton = page.getByRole('button', { name: 'Print' })
  await printButton.click()
  await expect(page.getByRole('heading', { name: 'Print the day close' })).toBeFocused()
  await expect(page.getByRole('radio', { name: '80 mm' })).toBeChecked()
  const printedClose = page.getByRole('article')
  await expect(printedClose).toContainText('Day close, Nov 27, 2026')
  await expectAccessible(page)
  expect(await printed(page)).toEqual([
    { widthMm: 80, begins: 'Torque & Timing', isOnlyTheClose: true },
  ])
  await page.getByText('Letter').click()
  expect(await printed(page)).toEqual([
    { widthMm: 216, begins: 'Torque & Timing', isOnlyTheClose: true },
  ])
  await page.getByRole('button', { name: 'Back to the day' }).click()
  await expect(printButton).toBeFocused()
})

/** Reads the printed pages: their width, their first words, and whether they contain only the day close. */
async function printed(page: Page) {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const widths = [...pdf.toString('latin1').matchAll(/MediaBox \[0 0 ([\d.]+)/g)]
  const { pages } = await readPdf(pdf)
  return pages.map(({ text }, index) => ({
    widthMm: Math.round((Number(widths[index]?.[1]) / 72) * 25.4),
    begins: text.slice(0, 15),
    isOnlyTheClose: !text.includes('Invoices') && text.includes('Signature'),
  }))
}
