import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  badNotification,
  expect,
  expectAccessible,
  messageInOutbox,
  notification,
  openDashboard,
  type Page,
  test,
} from '#tests/browser/fixtures.ts'
import { enterCard, findInvoice, makeInvoice } from '#tests/browser/payment/payment-steps.ts'

const openInvoices = async (page: Page) => {
  await openDashboard(page, '/invoices')
  await expect(page.getByRole('heading', { name: 'Create & Send Invoice' })).toBeVisible()
}

async function fillInvoice(page: Page, email: string) {
  await page.getByLabel('Customer Name').fill('Sam Okafor')
  await page.getByLabel('Customer Email').fill(email)
  await page.getByLabel('Description, line 1').fill('Front brake pads')
  await page.getByLabel('Amount in USD, line 1').fill('19.99')
  await page.getByLabel('Quantity, line 1').fill('3')
}

test('An invoice without an email address or a line is refused with a message, and the input is kept', async ({
  page,
}) => {
  await openInvoices(page)
  await expectAccessible(page)
  await page.getByLabel('Customer Name').fill('Sam Okafor')
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Missing Email')).toBeVisible()
  await expect(page.getByText('Customer email is required.').first()).toBeVisible()
  await expect(page.getByLabel('Customer Email')).toBeFocused()
  await page.getByLabel('Customer Email').fill('sam@customer.example')
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Add Line Items')).toBeVisible()
  await expect(page.getByText('Please add at least one valid line item.').first()).toBeVisible()
  await expect(page.getByLabel('Customer Name')).toHaveValue('Sam Okafor')
})

test('An invoice for a customer without an email address is created to be printed @phone', async ({
  page,
}) => {
  await openInvoices(page)
  const forPrint = page.getByRole('button', { name: 'Create for print' })
  await page.getByLabel('Description, line 1').fill('Oil change')
  await page.getByLabel('Amount in USD, line 1').fill('89')
  await forPrint.click()
  await expect(page.getByText('A printed invoice needs the customer name.').first()).toBeVisible()
  await expect(page.getByLabel('Customer Name')).toBeFocused()
  await page.getByLabel('Customer Name').fill('Sam Okafor')
  await page.getByLabel('Customer Email').fill('sam@customer.example')
  await expect(forPrint).toBeHidden()
  await page.getByLabel('Customer Email').fill('')
  await expectAccessible(page)
  await forPrint.click()
  await expect(page.getByText('Invoice Created', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Sam Okafor', { exact: true }).first()).toBeVisible()
})

test('Invoice lines can be added and removed, the total includes only valid lines, and the input survives a change of the dashboard tab', async ({
  page,
}) => {
  await openInvoices(page)
  await fillInvoice(page, 'sam@customer.example')
  await expect(page.getByText('Total$59.97', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add Line Item' }).click()
  await page.getByLabel('Description, line 2').fill('Labor')
  await expect(page.getByText('One line is left out of the invoice')).toBeVisible()
  await expect(page.getByText('Total$59.97', { exact: true })).toBeVisible()
  await page.getByLabel('Amount in USD, line 2').fill('142.50')
  await expect(page.getByText('Total$202.47', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove line 1' }).click()
  await expect(page.getByText('Total$142.50', { exact: true })).toBeVisible()
  await page.getByLabel('Quantity, line 1').fill('2.8')
  await page.getByLabel('Quantity, line 1').blur()
  await expect(page.getByLabel('Quantity, line 1')).toHaveValue('2')
  await page.getByRole('tab', { name: 'Appointments' }).click()
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await expect(page.getByLabel('Description, line 1')).toHaveValue('Labor')
  await expect(page.getByLabel('Quantity, line 1')).toHaveValue('2')
})

test('A created invoice shows its number, status and links, and is listed @phone', async ({
  page,
}) => {
  await openInvoices(page)
  await fillInvoice(page, 'sam@customer.example')
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Invoice Created & Sent')).toBeVisible()
  await expect(notification(page)).toContainText(messageInOutbox)
  const result = page.getByRole('status').filter({ hasText: /Invoice \S+ created/ })
  await expect(result).toContainText(/Invoice \S+ created/)
  await expect(result).toContainText('open')
  await expect(result.getByRole('link')).toHaveCount(2)
  await expect(page.getByLabel('Customer Email')).toHaveValue('')
  await expectAccessible(page)
  const number = /Invoice (\S+) created/.exec((await result.textContent()) ?? '')?.[1] ?? ''
  const row = page.getByRole('listitem').filter({ hasText: number })
  await expect(row).toContainText('Sam Okafor')
  await page.getByLabel('Recent').selectOption({ label: `${number}, Sam Okafor, open` })
  await result.getByRole('button', { name: 'Dismiss' }).click()
  await expect(result).toBeHidden()

  await row.getByRole('button', { name: `Remove ${number} from this list` }).click()
  await expect(page.getByText('Removed from list')).toBeVisible()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: /^Show \d+ removed/ }).click()
  await expect(row).toBeVisible()
})

test('The invoice list, if it is already open, shows a new payment with total and balance without a reload @phone', async ({
  page,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/^Blocked script execution in '[^']*\/api\/invoice\/page\//)
  const number = await makeInvoice(page)
  await openInvoices(page)
  const row = page.getByRole('listitem').filter({ hasText: number })
  await expect(row).toContainText('open')
  await expect(row).toContainText('Total $549.50')
  await expect(row).toContainText('Balance $549.50')
  await expectAccessible(page)
  const customer = await context.newPage()
  await findInvoice(customer, number)
  await customer.getByRole('button', { name: 'Pay Now' }).click()
  await enterCard(customer, '4242 4242 4242 4242')
  await expect(customer.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
  await customer.close()
  await expect(row).toContainText('paid')
  await expect(row).toContainText('Balance $0.00')
  await expect(row).toContainText('$549.50 received')
  await expect(row.getByRole('group', { name: 'Receipt' })).toBeVisible()
})

test('The amounts of a new invoice are sent as numbers with exactly the typed digits', async ({
  page,
  shop,
}) => {
  await openInvoices(page)
  await fillInvoice(page, 'sam@customer.example')
  await page.getByLabel('Amount in USD, line 1').fill('$1,049.99')
  await page.getByRole('button', { name: 'Add Line Item' }).click()
  await page.getByLabel('Description, line 2').fill('Labor')
  await page.getByLabel('Amount in USD, line 2').fill('142.50')
  const request = page.waitForRequest('**/api/invoice/create')
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  const sent = (await request).postData() ?? ''
  expect(JSON.parse(sent)).toEqual({
    customer: { name: 'Sam Okafor', email: 'sam@customer.example', phone: '' },
    lineItems: [
      { description: 'Front brake pads', amount: 1049.99, quantity: 3 },
      { description: 'Labor', amount: 142.5, quantity: 1 },
    ],
    memo: '',
    dueDays: 7,
    sendEmail: true,
    currency: 'usd',
  })
  // The request contains exactly the typed digits: 1049.99, not 1049.9899999999998.
  expect(sent).toContain('"amount":1049.99,')
  await expect(page.getByText('Invoice Created & Sent')).toBeVisible()
  const { rows } = await shop.database.query(
    `select recipient_email from emails where kind = 'invoice' and html_body like '%$3,292.47%'`,
  )
  expect(rows).toEqual([{ recipient_email: 'sam@customer.example' }])
})

test('An invoice for which no email is requested is created without an email, and the button shows Creating… during the request', async ({
  page,
}) => {
  const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/invoice/create', async (route) => {
    await seen
    await route.continue()
  })
  await openInvoices(page)
  await expect(page.getByRole('heading', { name: 'Sent Invoices' })).toBeVisible()
  await fillInvoice(page, 'sam@customer.example')
  await page.getByLabel('Due In (days)').fill('14')
  await page.getByLabel("Send via the card payment provider's email").uncheck()
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByRole('button', { name: 'Creating…' })).toBeDisabled()
  goOn()
  await expect(page.getByText('Invoice Created', { exact: true })).toBeVisible()
})

test('A refused invoice shows the message of the server and keeps the form', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openInvoices(page)
  await fillInvoice(page, 'not an address')
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText(/does not look like an address/)).toBeVisible()
  await expect(page.getByLabel('Description, line 1')).toHaveValue('Front brake pads')
  await page.route('**/api/invoice/create', (route) => route.abort())
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Failed to create invoice')).toBeVisible()
})

test('A request that is repeated after a lost response creates one invoice', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openInvoices(page)
  await fillInvoice(page, 'lost.answer@customer.example')
  await page.getByLabel('Customer Name').fill('Lost Answer')
  await page.route(
    '**/api/invoice/create',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Failed to create invoice')).toBeVisible()
  await page.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Invoice Created & Sent')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Lost Answer' })).toHaveCount(1)
})

for (const [emailError, message] of [
  ['Mailbox full', 'Mailbox full'],
  [null, 'Unknown error'],
] as const) {
  test(`A created invoice whose email failed shows the message: ${message}`, async ({ page }) => {
    await openInvoices(page)
    await fillInvoice(page, 'sam@customer.example')
    await page.route('**/api/invoice/create', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, emailSent: false, emailError } })
    })
    await page.getByRole('button', { name: 'Create Invoice' }).click()
    await expect(page.getByText('Invoice Created (Email Failed)')).toBeVisible()
    await expect(page.getByText(message).first()).toBeVisible()
  })
}

test('A failed load of the invoice list shows no error notification', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await page.route('**/api/invoice/list*', (route) => route.fulfill({ status: 502, body: 'no' }))
  await openInvoices(page)
  const refused = page.waitForResponse('**/api/invoice/list*')
  await page.getByLabel('Window').selectOption('30')
  await refused
  await expect(page.getByLabel('Recent')).toBeVisible()
  await expect(badNotification(page)).toHaveCount(0)
})

test('free-form invoice lines that describe repair work show a note with a button that creates an estimate from the lines @phone', async ({
  page,
  shop,
}) => {
  await openInvoices(page)
  const note = page.getByText('Repair work needs an approved estimate (16 CCR 3353).')
  await page.getByLabel('Customer Name').fill('Ivo Reyes')
  await page.getByLabel('Description, line 1').fill('Gift card')
  await expect(note).toHaveCount(0)
  await page.getByLabel('Description, line 1').fill('Oil change')
  await page.getByLabel('Amount in USD, line 1').fill('89.00')
  await expect(note).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create estimate from these lines' }).click()
  await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Job 1: Oil change' })).toContainText('$89.00')
  await expect(page.locator('.estimate-for')).toContainText('Ivo Reyes')
  await page.goto('about:blank')
  await shop.database.query(truncateTables('public.estimates'))
})
