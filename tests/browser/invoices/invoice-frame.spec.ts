import { devices } from '@playwright/test'
import { expect, expectAccessible, type Page, test } from '#tests/browser/fixtures.ts'
import { findInvoice, makeInvoice } from '#tests/browser/payment/payment-steps.ts'

/** Overrides whether the browser reports that it can show PDFs in a frame. */
const setShowsPdf = (page: Page, shows: boolean) =>
  page.addInitScript((value) => {
    Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => value })
  }, shows)

test('a browser that shows PDFs in a frame gets the PDF of the invoice', async ({ page }) => {
  await setShowsPdf(page, true)
  const number = await makeInvoice(page)
  await page.route('**/api/invoice/pdf/*', (route) => route.fulfill({ body: 'The PDF' }))
  await findInvoice(page, number)
  const frame = page.getByTitle(`Invoice ${number} (PDF)`)
  await expect(frame).toHaveAttribute('src', /^\/api\/invoice\/pdf\//)
  expect((await frame.boundingBox())?.height).toBe(600)
})

test.describe('without PDF support', () => {
  test.beforeEach(({ page }) => setShowsPdf(page, false))

  test('a browser that shows no PDF in a frame gets an HTML page with the same size, lines and sums @phone', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    await findInvoice(page, number)
    const frame = page.getByTitle(`Invoice ${number}`, { exact: true })
    expect((await frame.boundingBox())?.height).toBe(600)
    const invoice = frame.contentFrame()
    await expect(invoice.getByRole('heading', { level: 1 })).toHaveText(`Invoice ${number}`)
    const rows = invoice.getByRole('row')
    await expect(rows).toHaveCount(4)
    for (const [index, cells] of [
      ['Front brake pads and rotors', '1', '$318.00', '$318.00'],
      ['Labor, brake job', '1', '$142.50', '$142.50'],
      ['Brake fluid exchange', '1', '$89.00', '$89.00'],
    ].entries()) {
      await expect(rows.nth(index + 1).getByRole('cell')).toHaveText(cells)
    }
    await expect(invoice.getByText('Total due')).toBeVisible()
    await expect(invoice.getByText('$549.50', { exact: true })).toBeVisible()
    await expect(page.getByText('Amount due$549.50', { exact: true })).toBeVisible()
    await expect(invoice.getByText('Dana Whitfield', { exact: true })).toBeVisible()
    await expect(invoice.getByText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/)).toHaveCount(2)
  })

  test('the HTML page of an invoice can be operated by keyboard, including the PDF download', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    await findInvoice(page, number)
    const invoice = page.getByTitle(`Invoice ${number}`, { exact: true }).contentFrame()
    await expect(invoice.getByRole('main')).toBeVisible()
    // The focus is on the payment button above the frame, so Tab moves from the button into the frame.
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Pay Now' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(invoice.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(invoice.getByRole('link', { name: 'Download the PDF' })).toBeFocused()
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toBe(`${number}.pdf`)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Open the PDF in a new tab' })).toBeFocused()
  })

  test('the HTML page of an invoice is readable at a width of 320 pixels with any content, and in dark mode', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const lineItems = [
      { description: 'Ω'.repeat(120), amount: 9999.99, quantity: 99 },
      { description: 'Synthetic motor oil, filter and disposal', amount: 12.5, quantity: 10 },
    ]
    const number = await makeInvoice(page, { lineItems, memo: 'W'.repeat(200) })
    await findInvoice(page, number)
    const body = page
      .getByTitle(`Invoice ${number}`, { exact: true })
      .contentFrame()
      .locator('body')
    await expect(body).toContainText('$989,999.01')
    await expect(body).toContainText('$990,124.01')
    const overflow = await body.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(overflow).toBe(0)
    await expect(body).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(body).toHaveCSS('background-color', 'rgb(14, 34, 45)')
  })

  test('the HTML page of an invoice is accessible at a width of 320 pixels in light mode and of 1280 pixels in dark mode', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    const found = await page.request.post('/api/invoice/lookup', {
      data: { invoiceNumber: number },
    })
    const { invoice } = (await found.json()) as { invoice: { pageUrl: string } }
    // The accessibility check needs scripts in the frame, so the test removes the header that forbids scripts.
    await page.route('**/api/invoice/page/*', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    for (const [width, colorScheme] of [
      [320, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 600 })
      await page.emulateMedia({ colorScheme })
      await page.goto(invoice.pageUrl)
      await expectAccessible(page)
    }
  })

  test('the frame of the invoice shows that the link to the HTML page has expired', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 404/)
    const number = await makeInvoice(page)
    await page.route('**/api/invoice/lookup', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { invoice: { pageUrl: string } }
      body.invoice.pageUrl = body.invoice.pageUrl.replace(/.{4}$/, 'late')
      await route.fulfill({ response, json: body })
    })
    await findInvoice(page, number)
    const frame = page.getByTitle(`Invoice ${number}`, { exact: true })
    await expect(frame.contentFrame().getByText('This link has expired.')).toBeVisible()
  })
})

test.describe('on an iPhone', () => {
  test.use({ userAgent: devices['iPhone 15'].userAgent })

  test('a browser that shows only one page of a PDF in a frame gets the invoice as an HTML page, although it reports PDF support', async ({
    page,
  }) => {
    await setShowsPdf(page, true)
    const number = await makeInvoice(page)
    await findInvoice(page, number)
    const frame = page.getByTitle(`Invoice ${number}`, { exact: true })
    await expect(frame).toHaveAttribute('src', /^\/api\/invoice\/page\//)
  })
})
