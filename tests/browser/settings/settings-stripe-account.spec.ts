import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const endpoint = '**/api/setup/payments'
const card = (page: Page) => page.getByRole('region', { name: 'Stripe account' })
const openSection = (page: Page) => page.goto('/admin-dashboard/settings/payments')

/** Changes the given fields of the server's response about the Stripe account. */
const show = (page: Page, changes: object) =>
  page.route(endpoint, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), openTestInvoices: 0, ...changes } })
  })
const saved = {
  ok: true,
  outcome: 'saved',
  accountName: 'Cedar Motors',
  isTestKey: true,
  hasWebhook: false,
  meaning: null,
  openTestInvoices: 0,
}
const account = {
  fields: { name: 'Cedar Motors', isTestKey: true, hasWebhook: true },
  changedAt: '2026-11-20T18:00:00Z',
  changedByName: 'Dana',
}

test('An owner connects a Stripe account after confirming the password; a failure keeps the input @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await signIn(page)
  await forgetConfirmations(shop)
  await show(page, {})
  await openSection(page)
  const key = card(page).getByLabel('Secret key')
  await key.fill('pk_test_publishable')
  await card(page).getByRole('button', { name: 'Test and connect' }).click()
  await expect(key).toBeFocused()
  await expect(key).toHaveAccessibleDescription(/Enter a secret key/)
  await key.fill(' sk_test_1234567890 ')
  await card(page).getByRole('button', { name: 'Test and connect' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(stepUp).toContainText('You are about to change the Stripe account of the shop.')
  const meaning = 'Stripe does not know this key.'
  await page.route(`${endpoint}/save`, (route) =>
    route.fulfill({ json: { ...saved, outcome: 'failed', accountName: null, meaning } }),
  )
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await expect(card(page).getByRole('alert')).toContainText(meaning)
  await expect(key).toHaveValue(' sk_test_1234567890 ')
  await expectAccessible(page)

  await page.unroute(`${endpoint}/save`)
  await page.route(`${endpoint}/save`, (route) => {
    expect(route.request().postDataJSON()).toEqual({ secretKey: 'sk_test_1234567890' })
    return route.fulfill({ json: saved })
  })
  await card(page).getByRole('button', { name: 'Test and connect' }).click()
  await expect(notification(page)).toContainText('Cedar Motors, with a test key.')
  await expect(key).toHaveValue('')
})

test('A connected Stripe account shows its name, and its removal asks for confirmation @phone', async ({
  page,
}) => {
  await signIn(page)
  await show(page, { mode: 'test', stripeAccount: account, canReceiveEvents: true })
  await openSection(page)
  await expect(
    page.getByRole('heading', { name: /^Payments are in Stripe’s test mode/ }),
  ).toBeVisible()
  await expect(card(page)).toContainText('Entered by Dana, November 20, 2026')
  await expect(card(page)).toContainText('Cedar Motors')
  await expect(card(page)).toContainText('A test key: no money moves')
  await card(page).getByRole('button', { name: 'Remove…' }).click()
  const question = page.getByRole('dialog', { name: 'Remove the Stripe account?' })
  await expect(question).toContainText('Customers can no longer pay online')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Keep' }).click()
  await page.route(`${endpoint}/remove`, (route) =>
    route.fulfill({ json: { ok: true, isWebhookDisabled: false } }),
  )
  await card(page).getByRole('button', { name: 'Remove…' }).click()
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(notification(page)).toContainText('Disable its webhook in Stripe')
})

test('The payment settings state why no Stripe account can be connected, for example because test invoices are open or the site uses http', async ({
  page,
}) => {
  await signIn(page)
  await show(page, { isSetByEnvironment: true })
  await openSection(page)
  await expect(card(page)).toContainText('Set by the environment.')
  await expect(card(page).getByRole('button')).toHaveCount(0)

  await page.unroute(endpoint)
  await show(page, { mode: 'not_set_up', stripeAccount: { ...account, fields: null } })
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Payments are not set up/ })).toBeVisible()
  await expect(card(page).getByRole('alert')).toContainText('key of another machine')
  await expectAccessible(page)

  await page.unroute(endpoint)
  await show(page, { openTestInvoices: 3, canReceiveEvents: false })
  await page.reload()
  await expect(card(page)).toContainText('3 test invoices are still open.')
  await expect(card(page)).toContainText('Stripe cannot report payments to this site.')
  await expectAccessible(page)
  await card(page).getByRole('link', { name: 'Open invoices' }).click()
  await expect(page).toHaveURL(/\/admin-dashboard\/invoices/)
})

test('The pay page tells a customer to pay at the shop while payments are not set up @phone', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  const message =
    'Online payments are not set up. Please pay at the shop, or call us at (650) 555-0142.'
  await page.route('**/api/invoice/lookup', (route) =>
    route.fulfill({ status: 409, json: { ok: false, code: 'PAYMENTS_NOT_SET_UP', message } }),
  )
  await page.goto('/pay-invoice')
  await page.getByLabel('Invoice Number').fill('INV-2026-0001-ABCDEF')
  await page.getByLabel('Invoice Number').press('Enter')
  await expect(page.getByText(message)).toBeVisible()
})
