import {
  adminLogin,
  badNotification,
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  test,
  todayColumn,
} from '#tests/browser/fixtures.ts'
import { findInvoice } from '#tests/browser/payment/payment-steps.ts'

/*
 * Tests of the pages with minimal responses, which have only the fields of docs/product.md 7.1, and with responses that
 * have additional fields.
 */

/** Fields that no page uses. */
const surplus = { requestId: 'r-1', version: 2, links: { self: ['/'] }, note: null }

async function mockResponse(page: Page, path: string, body: object): Promise<void> {
  await page.route(path, (route) => route.fulfill({ json: body }))
}

const invoice = {
  id: 'in_1',
  number: 'TT-1',
  hosted_invoice_url: 'https://pay.example/in_1',
  invoice_pdf: 'https://pay.example/in_1.pdf',
  status: 'open',
  customer_email: 'sam@customer.example',
}

test.describe('the response to a new invoice', () => {
  const fill = async (page: Page) => {
    await page.getByLabel('Customer Email').fill('sam@customer.example')
    await page.getByLabel('Description, line 1').fill('Front brake pads')
    await page.getByLabel('Amount in USD, line 1').fill('19.99')
  }
  test.beforeEach(({ page }) => openDashboard(page, '/invoices'))
  const result = (page: Page) =>
    page.getByRole('status').filter({ hasText: /Invoice (\S+ )?created/ })
  const create = (page: Page) => page.getByRole('button', { name: 'Create Invoice' }).click()

  test('the invoice form accepts a response without the fields message and emailError', async ({
    page,
  }) => {
    await fill(page)
    await mockResponse(page, '**/api/invoice/create', { ok: true, invoice, emailSent: true })
    await create(page)
    await expect(page.getByText('Invoice Created & Sent')).toBeVisible()
    await expect(result(page)).toContainText('Invoice TT-1 created')
    await expect(result(page)).toContainText('open')
    await expect(result(page)).toContainText('Sent to sam@customer.example')
    await expect(result(page).getByRole('link')).toHaveCount(2)
    await expect(page.getByLabel('Customer Email')).toHaveValue('')
    await result(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(result(page)).toBeHidden()
  })

  test('the invoice form reports no email when the response contains neither emailSent nor emailError', async ({
    page,
  }) => {
    await fill(page)
    await mockResponse(page, '**/api/invoice/create', {
      ...surplus,
      ok: true,
      invoice: { ...surplus, id: 'in_1' },
    })
    await create(page)
    await expect(page.getByText('Invoice Created', { exact: true })).toBeVisible()
    await expect(result(page)).toContainText('Invoice created')
    await expect(result(page)).not.toContainText(/undefined|null|E-mail/)
    await expect(result(page).getByRole('link')).toHaveCount(0)
  })

  test('the invoice form reports a failed email if the response has emailSent false, an emailError, or both', async ({
    page,
  }) => {
    const toast = badNotification(page)
    for (const [fields, text] of [
      [{ emailSent: false, emailError: 'Mailbox full' }, 'Mailbox full'],
      [{ emailError: 'Line busy' }, 'Line busy'],
      [{ emailSent: false }, 'Unknown error'],
    ] as const) {
      await fill(page)
      await mockResponse(page, '**/api/invoice/create', { ok: true, invoice, ...fields })
      await create(page)
      await expect(toast).toContainText('Invoice Created (Email Failed)')
      await expect(toast).toContainText(text)
      await expect(result(page)).toContainText('Invoice TT-1 created')
    }
  })
})

test('the list of invoices shows the fields that the response contains, and omits missing ones', async ({
  page,
}) => {
  await mockResponse(page, '**/api/invoice/list*', {
    ...surplus,
    ok: true,
    invoices: [
      { ...surplus, ...invoice, created: 1_763_500_000, customer_name: 'Sam Okafor' },
      { id: 'in_2', number: 'TT-2', status: 'paid' },
    ],
  })
  await openDashboard(page, '/invoices')
  const row = (number: string) => page.getByRole('listitem').filter({ hasText: number })
  await expect(row('TT-1')).toContainText('Sam Okafor, sam@customer.example')
  await expect(row('TT-1').getByRole('link')).toHaveCount(2)
  await expect(row('TT-2')).toContainText('paid')
  await expect(row('TT-2').getByRole('link')).toHaveCount(0)
  await expect(page.getByLabel('Recent').locator('option')).toHaveText([
    'Choose an invoice',
    'TT-1, Sam Okafor, open',
    'TT-2, paid',
  ])
})

test.describe('paying with responses of few fields', () => {
  const found = { id: 'in_1', pdfUrl: '/api/invoice/pdf/x' }
  test.beforeEach(({ page }) =>
    page.route('**/api/invoice/pdf/x', (route) => route.fulfill({ body: 'The invoice' })),
  )

  for (const [name, lookup, checkout] of [
    [
      'the required fields only',
      { ok: true, invoice: found },
      { ok: true, checkout: { url: '/privacy' } },
    ],
    [
      'unknown additional fields',
      {
        ...surplus,
        ok: true,
        invoice: { ...surplus, ...found, number: null, amountDue: '12.00', currency: 'dollars' },
        testMode: 'no',
      },
      { ...surplus, ok: true, checkout: { ...surplus, url: '/privacy' } },
    ],
  ] as const) {
    test(`the payment page leads from the invoice number to the checkout when the responses contain ${name}`, async ({
      page,
    }) => {
      await mockResponse(page, '**/api/invoice/lookup', lookup)
      await mockResponse(page, '**/api/create-checkout', checkout)
      await findInvoice(page, 'TT-1')
      const frame = page.locator('iframe')
      await expect(frame).toHaveAttribute('src', /^\/api\/invoice\/pdf\/x/)
      expect((await frame.boundingBox())?.height).toBe(600)
      await expect(page.getByRole('heading', { name: 'Secure Payment' })).toBeVisible()
      await expect(page.getByText('Amount due')).toBeHidden()
      const exchange = page.waitForRequest('**/api/create-checkout')
      await page.getByRole('button', { name: 'Pay Now' }).click()
      expect((await exchange).postDataJSON()).toEqual({ invoiceId: 'in_1' })
      await expect(page).toHaveURL('/privacy')
    })
  }

  test('the success page confirms a payment after the verification of the Checkout Session or the invoice, and then requests the receipt', async ({
    page,
  }) => {
    const payment = {
      status: 'succeeded',
      invoiceId: 'in_1',
      invoiceNumber: 'TT-1',
      amountPaid: 54_950,
      currency: 'usd',
    }
    await mockResponse(page, '**/api/payment/session-verify*', { ok: true, payment })
    await mockResponse(page, '**/api/payment/verify*', {
      ...surplus,
      ok: true,
      payment: { ...surplus, ...payment, paidAt: null, customerEmail: null, description: null },
    })
    await mockResponse(page, '**/api/send-payment-confirmation', { ok: true, emailId: 'e_1' })
    for (const query of ['session_id=cs_1', 'invoice_id=in_1']) {
      const confirmation = page.waitForResponse('**/api/send-payment-confirmation')
      await page.goto(`/payment-success?${query}`)
      await expect(page.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
      for (const text of ['Succeeded', 'TT-1', '$549.50 USD', 'N/A']) {
        await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible()
      }
      expect((await confirmation).ok()).toBe(true)
    }
  })
})

test.describe('the response to a login', () => {
  const user = { username: adminLogin.username }
  const logIn = async (page: Page) => {
    await page.goto('/admin-dashboard')
    await page.getByLabel('Username').fill(adminLogin.username)
    await page.getByLabel('Password').fill(adminLogin.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  }
  /** Reduces the login's response to the fields of docs/product.md 7.1. */
  const leanLogin = (page: Page) =>
    page.route('**/api/admin/login', async (route) =>
      route.fulfill({ response: await route.fetch(), json: { ...surplus, ok: true, user } }),
    )

  test('after a login without tokens for the REST API, the dashboard requests the tokens and then reads the data of the shop', async ({
    page,
  }) => {
    await leanLogin(page)
    const exchange = page.waitForResponse('**/api/admin/login')
    await logIn(page)
    expect(await (await exchange).json()).toEqual({ ...surplus, ok: true, user })
    await expect(todayColumn(page)).toBeVisible()
    await expect(badNotification(page)).toHaveCount(0)
  })

  test('a dashboard without tokens for the REST API shows load errors until the dashboard receives the tokens, and then loads the data', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/Failed to load resource/, /could not be read|failed/)
    await leanLogin(page)
    let hasSession = false
    await page.route('**/api/admin/me*', async (route) => {
      const response = await route.fetch()
      const { ok } = (await response.json()) as { ok: boolean }
      return hasSession || !ok
        ? route.fulfill({ response })
        : route.fulfill({ json: { ok: true, user } })
    })
    await logIn(page)
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
    const notice = page.getByRole('alert').filter({ hasText: 'cannot be loaded' })
    await expect(notice).toContainText('appointments, tasks and quote requests')
    await expect(page.getByText('Failed to load dashboard data.').first()).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expectAccessible(page)
    // The views that send no request to the data service (REST API) still work, also after a reload.
    await page.getByRole('tab', { name: 'Invoices' }).click()
    await expect(page.getByLabel('Customer Email')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Customer Email')).toBeVisible()
    await page.getByRole('tab', { name: 'Quote Requests' }).click()
    await expect(notice).toBeVisible()
    // Waits until the last request for a sign-in session has failed. Before that, the page can still change, so a click
    // could miss the button.
    const tab = page.getByRole('tabpanel')
    await expect(tab.getByText('Failed to load dashboard data.')).toBeVisible()

    hasSession = true
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expect(notice).toBeHidden()
    await expect(page.getByRole('heading', { name: /^Pending Quote Requests \(\d/ })).toBeVisible()
  })
})
