import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

test.beforeEach(({ page }) => signIn(page))

const open = (page: Page, section: 'email' | 'payments') =>
  page.goto(`/admin-dashboard/settings/${section}`)
const send = (page: Page) => page.getByRole('button', { name: 'Send a test message' }).click()

test('The email settings show each setting with its source, and a test email shows its result', async ({
  page,
}) => {
  await open(page, 'email')
  await expect(page.getByRole('heading', { name: /^Email is not set up/ })).toBeVisible()
  await expect(page.getByText('SMTP_URL', { exact: true })).toBeVisible()
  await page.getByLabel('To', { exact: true }).fill('nobody')
  await send(page)
  await expect(page.getByLabel('To', { exact: true })).toBeFocused()
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(
    'Enter one email address.',
  )
  await page.getByLabel('To', { exact: true }).fill('dana@example.com')
  await send(page)
  await expect(page.getByText(/^The message is kept in the outbox/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All emails' }).click()
  await expect(page.getByText(/^Test message from/).first()).toBeVisible()
})

test('A failed test email shows the server response and its meaning', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await open(page, 'email')
  const endpoint = '**/api/setup/email/test'
  await page.route(endpoint, (route) =>
    route.fulfill({
      json: {
        ok: true,
        outcome: 'failed',
        serverMessage: '535 <b>5.7.8</b> Authentication failed',
        meaning: 'The mail server did not accept the user name, the password or the key.',
      },
    }),
  )
  await send(page)
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'The mail server did not accept the message.' })
  await expect(notice).toContainText('535 <b>5.7.8</b> Authentication failed')
  await expect(notice).toContainText('did not accept the user name')
  await expectAccessible(page)
  await page.unroute(endpoint)
  await page.route(endpoint, (route) =>
    route.fulfill({
      status: 429,
      json: { ok: false, code: 'RATE_LIMITED', message: 'Too many attempts. Please wait.' },
    }),
  )
  await send(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts.' })).toBeVisible()
  await page.unroute(endpoint)

  await page.route('**/api/setup/email', (route) =>
    route.fulfill({ status: 500, json: { ok: false, code: 'INTERNAL_ERROR', message: 'no' } }),
  )
  await page.reload()
  await expect(page.getByText('The email settings could not be loaded.')).toBeVisible()
  await page.unroute('**/api/setup/email')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: /^Email is not set up/ })).toBeVisible()
})

test('The payment settings show the mode and the last webhook event, and an owner can require the email address for the invoice lookup', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `delete from internal.stripe_events;
     insert into internal.stripe_events (id, type, handled_at) values ('evt_seen', 'invoice.paid', '2026-11-20T18:00:00Z')
     on conflict do nothing; update booking_rules set invoice_lookup_requires_email = false`,
  )
  // Disables live events, so that this page does not notice the other window's change before the switch is pressed.
  await withoutLiveEvents(page)
  await open(page, 'payments')
  await expect(page.getByRole('heading', { name: /^Payments are in sandbox mode/ })).toBeVisible()
  await expect(page.getByText('STRIPE_WEBHOOK_SECRET', { exact: true })).toBeVisible()
  await expect(page.getByText('November 20, 2026, 10:00 AM')).toBeVisible()
  const requireEmail = page.getByRole('switch', { name: 'Require the email address' })
  await requireEmail.click()
  await expect(notification(page)).toContainText(
    'Customers find an invoice with its number and email address',
  )
  await expectAccessible(page)
  // The page enables the switch again after it has refetched the booking rules.
  await expect(requireEmail).toBeEnabled()
  const read = 'select invoice_lookup_requires_email as asks from booking_rules'
  expect((await shop.database.query(read)).rows).toEqual([{ asks: true }])

  await shop.database.query('update booking_rules set booking_window_days = 31')
  // The switch shows the saved value. When the server refuses a change, the switch returns to the saved value.
  await requireEmail.click()
  await expect(page.getByRole('alert')).toContainText('Someone else changed the rules')
  await expect(requireEmail).toBeChecked()
  await expect(requireEmail).toBeEnabled()
  await requireEmail.click()
  await expect(notification(page)).toContainText('with its number alone')
  await shop.database.query('update booking_rules set booking_window_days = 30')
})

const ownEmail = 'mail-server-story@example.com'
const nameOwnEmail = (shop: Shop, email: string | null) =>
  shop.database.query(`update staff_accounts set email = $1 where username = 'admin'`, [email])
test.afterEach(async ({ shop }) => {
  await nameOwnEmail(shop, null)
  await shop.database.query('delete from internal.sealed_settings')
})

const mailServer = (page: Page) => page.getByRole('region', { name: 'Mail server' })

test('An owner saves a mail server after confirming the password; a failure keeps the input and saves nothing @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await nameOwnEmail(shop, ownEmail)
  await forgetConfirmations(shop)
  await open(page, 'email')
  const card = mailServer(page)
  await card.getByRole('button', { name: 'Test and save' }).click()
  await expect(card.getByLabel('Host')).toBeFocused()
  await expect(card.getByLabel('Host')).toHaveAccessibleDescription(
    'Enter the host of the mail server.',
  )
  await card.getByLabel('Host').fill('127.0.0.1')
  // No server listens at this port.
  await card.getByLabel('Port').fill('9')
  await card.getByLabel('Sender').fill('counter@shop.example')
  await card.getByRole('button', { name: 'Test and save' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(stepUp).toContainText('You are about to change the mail server of the shop.')
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await expect(card.getByRole('alert')).toContainText('No mail server responds at this host')
  await expect(card.getByLabel('Sender')).toHaveValue('counter@shop.example')
  await expectAccessible(page)
  const { rows } = await shop.database.query(
    `select from internal.sealed_settings where name = 'email' and sealed is not null`,
  )
  expect(rows).toEqual([])
})

test('The email settings state that the environment sets the mail server, or that the stored settings were encrypted with the key of another machine', async ({
  page,
}) => {
  const show = (changes: object) =>
    page.route('**/api/setup/email', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), ...changes } })
    })
  await show({ isSetByEnvironment: true })
  await open(page, 'email')
  await expect(mailServer(page)).toContainText('Set by the environment.')
  await expect(mailServer(page).getByRole('button')).toHaveCount(0)
  await page.unroute('**/api/setup/email')
  const changedAt = '2026-11-20T18:00:00Z'
  await show({ mailServer: { fields: null, changedAt, changedByName: 'Dana' } })
  await page.reload()
  await expect(mailServer(page).getByRole('alert')).toContainText('key of another machine')
  await expect(mailServer(page)).toContainText('Entered by Dana, November 20, 2026')
  await expect(mailServer(page).getByRole('button', { name: 'Test and save' })).toBeVisible()
  await expectAccessible(page)
})

test('An owner removes the mail server after a confirmation dialog and the password, and the audit log records it @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await shop.database.query(
    `insert into internal.sealed_settings (name, sealed, changed_by)
     select 'email', 'v1.sealed', user_id from staff_accounts where username = 'admin'
     on conflict (name) do update set sealed = excluded.sealed, changed_by = excluded.changed_by`,
  )
  await forgetConfirmations(shop)
  await open(page, 'email')
  const remove = mailServer(page).getByRole('button', { name: 'Remove…' })
  await remove.click()
  const question = page.getByRole('dialog', { name: 'Remove the mail server?' })
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(remove).toBeVisible()

  await remove.click()
  await question.getByRole('button', { name: 'Remove' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(stepUp).toContainText('You are about to remove the mail server of the shop.')
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await expect(notification(page)).toContainText('Removed')
  await expect(remove).toBeHidden()
  const { rows } = await shop.database.query(
    `select sealed from internal.sealed_settings where name = 'email'`,
  )
  expect(rows).toEqual([{ sealed: null }])

  await page.goto('/admin-dashboard/settings/audit?what=settings')
  const line = page.getByRole('listitem').filter({ hasText: 'Removed: the mail server' }).first()
  await expect(line).toContainText('Confirmed with the password')
  await expectAccessible(page)
})
