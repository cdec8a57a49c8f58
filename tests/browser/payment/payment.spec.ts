import {
  expect,
  expectAccessible,
  htmlOf,
  test,
  type Page,
  type Shop,
} from '#tests/browser/fixtures.ts'
import { enterCard, findInvoice, makeInvoice } from './payment-steps.ts'

const alertIn = (page: Page) => page.getByRole('main').getByRole('alert')

/** Replaces the response of one endpoint. */
async function mockResponse(
  page: Page,
  path: string,
  status: number,
  body: unknown,
): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({
      status,
      contentType: typeof body === 'string' ? 'text/html' : 'application/json',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

test.describe('from the invoice number to the confirmation', () => {
  test('a customer finds an invoice by its number, pays by card and sees the confirmation @viewer @phone', async ({
    page,
    shop,
    expectedConsoleErrors,
  }) => {
    // The browser logs an error, because the invoice's frame blocks the script of the accessibility check.
    expectedConsoleErrors.push(/^Blocked script execution in '[^']*\/api\/invoice\/page\//)
    const number = await makeInvoice(page)
    // The typed invoice number has surrounding spaces and lower-case letters, as customers sometimes type.
    await findInvoice(page, `  ${number.toLowerCase()} `)
    const frame = page.getByTitle(`Invoice ${number}`)
    await expect(frame).toBeVisible()
    expect((await frame.boundingBox())?.height).toBe(600)
    // A headless browser has no PDF viewer, so the site shows the invoice as HTML.
    const showsPdf = await page.evaluate(() => navigator.pdfViewerEnabled)
    const shown = await page.request.get((await frame.getAttribute('src')) ?? '')
    expect(shown.headers()['content-type']).toBe(
      showsPdf ? 'application/pdf' : 'text/html; charset=utf-8',
    )
    await expect(page.getByRole('heading', { name: 'Secure Payment' })).toBeVisible()
    await expect(page.getByText('Test mode: no card is charged.')).toBeVisible()
    await expectAccessible(page, 'main')

    await page.getByRole('button', { name: 'Pay Now' }).click()
    await enterCard(page, '4242 4242 4242 4242')
    await page.waitForURL(/\/payment-success\?/)
    await expect(page.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
    const main = page.getByRole('main')
    for (const message of [
      'Paid',
      number,
      '$549.50 USD',
      'dana.whitfield@example.com',
      'Front brake pads and rotors; Labor, brake job; Brake fluid exchange',
      'A confirmation email with your receipt and the invoice PDF has been sent.',
      'billing@torqueandtiming.example',
    ]) {
      await expect(main.getByText(message, { exact: true }).first()).toBeVisible()
    }
    await expect(main.getByText(/^[A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M$/)).toBeVisible()
    await expectAccessible(page, 'main')
    const { rows } = await shop.database.query(
      `select e.recipient_email, p.amount_cents from public.payments p
       join public.emails e on e.dedupe_key = 'receipt:' || p.invoice_id
       join public.invoices i on i.invoice_id = p.invoice_id where i.number = $1`,
      [number],
    )
    expect(rows).toEqual([{ recipient_email: 'dana.whitfield@example.com', amount_cents: 54_950 }])

    await page.getByRole('link', { name: 'Pay Another Invoice' }).click()
    await expect(page).toHaveURL('/pay-invoice')
  })

  test('a payment can be continued after a declined card and a cancelled checkout', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    await findInvoice(page, number)
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await enterCard(page, '4000 0000 0000 0002')
    await expect(page.getByText(/declined/i).first()).toBeVisible()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(`/pay-invoice?invoice=${number}`)
    await expect(page.getByLabel('Invoice Number')).toHaveValue(number)
    await expect(page.getByRole('button', { name: 'Pay Now' })).toBeEnabled()
  })

  test('one press of Pay Now starts the checkout after the customer opens the payment link in the email @phone', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    await page.goto(`/pay-invoice?invoice=${number}`)
    const payNow = page.getByRole('button', { name: 'Pay Now' })
    await expect(payNow).toBeInViewport()
    await expect(page.getByText('Amount due$549.50', { exact: true })).toBeInViewport()
    const [pay, frame] = [await payNow.boundingBox(), await page.locator('iframe').boundingBox()]
    expect((pay?.y ?? 0) + (pay?.height ?? 0)).toBeLessThan(frame?.y ?? 0)
    await payNow.click()
    await expect(page).toHaveURL(/\/sandbox\//)
  })

  test('the message about an unknown invoice number shows the format of invoice numbers', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 404/)
    for (const number of ['INV-2024-001', 'nonsense']) {
      await findInvoice(page, number)
      await expect(alertIn(page)).toHaveText(
        'Invoice not found.Our invoice numbers end in six letters or digits, for example INV-2026-0042-7K3QXR.',
      )
    }
  })

  test('the webhook settles a payment when the customer has closed the tab', async ({
    page,
    context,
    shop,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/ERR_FAILED|status of 409/)
    const number = await makeInvoice(page)
    await findInvoice(page, number)
    // The payment provider charges the card, but the redirect back to the shop never arrives.
    let isCharged = false
    await page.route('**/sandbox/**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      isCharged = (await route.fetch({ maxRedirects: 0 })).status() === 303
      await route.abort()
    })
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await enterCard(page, '4242 4242 4242 4242')
    await expect.poll(() => isCharged).toBe(true)
    await page.close()
    const isRecorded = async () =>
      (
        await shop.database.query(
          `select from public.payments p join public.emails e on e.dedupe_key = 'receipt:' || p.invoice_id
           join public.invoices i on i.invoice_id = p.invoice_id where i.number = $1`,
          [number],
        )
      ).rows.length
    await expect.poll(isRecorded).toBe(1)
    const later = await context.newPage()
    await findInvoice(later, number)
    await expect(later.getByText('This invoice has already been paid.')).toBeVisible()
  })

  test('an invoice that is open in three tabs is paid only once', async ({
    page,
    context,
    shop,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 409/)
    const number = await makeInvoice(page)
    const [second, late] = [await context.newPage(), await context.newPage()]
    for (const tab of [page, second, late]) await findInvoice(tab, number)
    for (const tab of [page, second]) {
      await tab.getByRole('button', { name: 'Pay Now' }).click()
      await tab.waitForURL(/\/sandbox\//)
    }
    expect(new URL(second.url()).pathname).toBe(new URL(page.url()).pathname)
    // The second tab pays in a checkout that is already completed, and is redirected to the first payment.
    for (const [tab, card] of [
      [page, '4242 4242 4242 4242'],
      [second, '5555 5555 5555 4444'],
    ] as const) {
      await enterCard(tab, card)
      await expect(tab.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
    }
    await late.getByRole('button', { name: 'Pay Now' }).click()
    await expect(alertIn(late)).toHaveText('This invoice has already been paid.')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
    const { rows } = await shop.database.query(
      `select p.kind, count(e.id)::int as receipts from public.payments p
       left join public.emails e on e.invoice_id = p.invoice_id
       join public.invoices i on i.invoice_id = p.invoice_id
       where i.number = $1 group by p.id`,
      [number],
    )
    expect(rows).toEqual([{ kind: 'payment', receipts: 1 }])
  })

  test('a payment is not confirmed when a visitor only opens the success URL', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 404/)
    const number = await makeInvoice(page)
    await page.goto(`/payment-success?invoice=${number}&session_id=cs_test_forged`)
    await expect(alertIn(page)).toContainText('We could not find this payment. Please call us.')
    await expect(page.getByText('A confirmation email')).toBeHidden()
    await page.getByRole('link', { name: 'Pay Another Invoice' }).click()
    await page.getByLabel('Invoice Number').fill(number)
    await page.getByRole('button', { name: 'Find Invoice' }).click()
    await expect(page.getByRole('button', { name: 'Pay Now' })).toBeEnabled()
  })
})

test.describe('the invoice lookup', () => {
  test.use({ expectedConsoleErrors: [/Failed to load resource|was not requested/] })

  test('the payment page requires only an invoice number, and checks the number before the request', async ({
    page,
  }) => {
    let calls = 0
    await page.route('**/api/invoice/lookup', (route) => {
      calls += 1
      return route.abort()
    })
    await findInvoice(page, '   ')
    await expect(page.getByText('Please enter a valid invoice number.')).toBeVisible()
    await expect(page.getByLabel('Invoice Number')).toBeFocused()
    await expect(page.getByLabel('Email Address')).toHaveCount(0)
    expect(calls).toBe(0)
  })

  test('the payment page also requires the email address when a setting of the shop requires the address', async ({
    page,
    shop,
  }) => {
    await setEmailRequired(shop, page, true)
    const sent: unknown[] = []
    await page.route('**/api/invoice/lookup', (route) => {
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 404, json: { ok: false, code: 'NOT_FOUND' } })
    })
    await findInvoice(page, 'INV-2024-001')
    const email = page.getByLabel('Email Address')
    await expect(email).toBeFocused()
    await expect(email).toHaveAccessibleDescription(
      /Please enter the email address that the invoice was sent to\./,
    )
    await expectAccessible(page)
    await email.fill(' dana@example.com ')
    await page.getByRole('button', { name: 'Find Invoice' }).click()
    await expect(alertIn(page)).toContainText('Invoice not found.')
    await expect(page.getByLabel('Invoice Number')).toHaveValue('INV-2024-001')
    expect(sent).toEqual([{ invoiceNumber: 'INV-2024-001', customerEmail: 'dana@example.com' }])
    await setEmailRequired(shop, page, false)
  })

  test('the payment page shows why no invoice was found: for an error code, a message of the server, an HTTP status, or no response', async ({
    page,
  }) => {
    for (const [status, body, message] of [
      [
        409,
        { ok: false, code: 'NOT_FINALIZED', message: 'x' },
        'This invoice is not finalized yet.',
      ],
      [200, { ok: false, code: 'AMBIGUOUS' }, 'Multiple invoices match that number.'],
      [500, { ok: false, code: 'NEW', message: 'Closed for today.' }, 'Closed for today.'],
      [503, { ok: false }, '503 Service Unavailable'],
      [200, { ok: false }, 'Unknown error'],
      [200, '<html>', 'Network error, please try again.'],
    ] as const) {
      await mockResponse(page, '**/api/invoice/lookup', status, body)
      await findInvoice(page, 'TT-1')
      await expect(alertIn(page)).toHaveText(message)
      await page.unroute('**/api/invoice/lookup')
    }
    await page.route('**/api/invoice/lookup', (route) => route.abort())
    await findInvoice(page, 'TT-1')
    await expect(alertIn(page)).toHaveText('Network error, please try again.')
  })

  test('the payment page ignores a second submit of the invoice number while the first submit is pending', async ({
    page,
  }) => {
    let calls = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/invoice/lookup', async (route) => {
      calls += 1
      await held
      await route.fulfill({ status: 404, json: { ok: false, code: 'NOT_FOUND' } })
    })
    await findInvoice(page, 'TT-1')
    const field = page.getByLabel('Invoice Number')
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await field.press('Enter')
    await field.press('Enter')
    release()
    await expect(alertIn(page)).toContainText('Invoice not found.')
    expect(calls).toBe(1)
  })

  test('the payment page shows why a checkout did not open', async ({ page }) => {
    await mockResponse(page, '**/api/invoice/pdf/x', 200, 'The invoice')
    await mockResponse(page, '**/api/invoice/lookup', 200, {
      ok: true,
      invoice: { id: 'in_1', pdfUrl: '/api/invoice/pdf/x' },
    })
    for (const [status, body, message] of [
      [500, { ok: false, message: 'Not now.' }, 'Not now.'],
      [500, { ok: false }, 'Failed to create checkout session'],
      [502, '<html>', 'Unable to create checkout session'],
    ] as const) {
      await page.unroute('**/api/create-checkout')
      await mockResponse(page, '**/api/create-checkout', status, body)
      await findInvoice(page, 'TT-1')
      await page.getByRole('button', { name: 'Pay Now' }).click()
      await expect(alertIn(page)).toHaveText(message)
      await expect(page.getByRole('button', { name: 'Pay Now' })).toBeEnabled()
    }
  })
})

test.describe('after the checkout', () => {
  test.use({ expectedConsoleErrors: [/Failed to load resource|was not requested/] })

  test('the success page shows a spinner, and then the payment of the Checkout Session and the invoice in the URL of the page', async ({
    page,
  }) => {
    let sent = ''
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/payment/session-verify**', async (route) => {
      sent = route.request().url()
      await held
      await route.fulfill({
        json: {
          ok: true,
          payment: {
            status: 'paid',
            invoiceId: 'in_1',
            invoiceNumber: 'TT-1',
            amountPaid: 123_450,
            currency: 'usd',
          },
        },
      })
    })
    const confirmation = page.waitForRequest('**/api/send-payment-confirmation')
    await mockResponse(page, '**/api/send-payment-confirmation', 500, { ok: false })
    await page.goto('/payment-success?invoice_id=in_1&invoice=TT-1&session_id=cs_1')
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    await expect(page.getByText('Verifying payment...')).toBeVisible()
    release()
    await expect(page.getByText('$1,234.50 USD')).toBeVisible()
    await expect(page.getByText('N/A')).toBeVisible()
    await expect(page.getByText('Receipt Email')).toBeHidden()
    await expect(page.getByText('Service Description')).toBeHidden()
    await expectAccessible(page, 'main')
    expect(new URL(sent).search).toBe('?sessionId=cs_1&invoiceId=in_1')
    expect((await confirmation).postDataJSON()).toEqual({
      invoiceId: 'in_1',
      customerEmail: '',
      customerName: '',
    })
  })

  test('the success page shows why the verification of a payment failed, with a retry button', async ({
    page,
  }) => {
    const load = () => page.goto('/payment-success?invoice_id=in_1&invoice=TT-1')
    const checkAgain = () => page.getByRole('button', { name: 'Check again' }).click()
    for (const [trigger, status, body, message] of [
      [load, 404, { ok: false, message: 'No such payment.' }, 'No such payment.'],
      [checkAgain, 500, { ok: false }, 'Failed to verify payment'],
      [checkAgain, 502, '<html>', 'Unable to verify payment status'],
    ] as const) {
      await mockResponse(page, '**/api/payment/verify**', status, body)
      await trigger()
      await expect(alertIn(page)).toContainText(message)
      await expect(page.getByText('A confirmation email')).toBeHidden()
    }
  })

  test('the success page shows the invoice number from its URL when the URL names no payment to verify', async ({
    page,
  }) => {
    await page.goto('/payment-success?invoice=TT-77')
    await expect(page.getByText('TT-77')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Return Home' })).toBeVisible()
  })
})

/**
 * Sets whether the invoice lookup requires the email address, and waits until the server has rendered the page with
 * this setting.
 */
async function setEmailRequired(shop: Shop, page: Page, isRequired: boolean): Promise<void> {
  await shop.database.query('update booking_rules set invoice_lookup_requires_email = $1', [
    isRequired,
  ])
  await expect
    .poll(() => htmlOf(page, '/pay-invoice'))
    .toContain(`"requiresInvoiceEmail":${isRequired}`)
}
