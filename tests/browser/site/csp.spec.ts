import { expect, stubMap, logIn, test, type Page } from '#tests/browser/fixtures.ts'
import { findInvoice, makeInvoice } from '#tests/browser/payment/payment-steps.ts'
import { addBooking } from '#tests/browser/shop-records.ts'

/** Collects all later violations of the content security policy. */
async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.exposeFunction('noteViolation', (violation: string) => violations.push(violation))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = window as unknown as {
        noteViolation: (violation: string) => void
      }
      noteViolation(
        `${location.pathname}: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      )
    })
  })
  return violations
}

async function showMap(page: Page): Promise<void> {
  await stubMap(page)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Find Our Shop' }).scrollIntoViewIfNeeded()
  await expect(page.getByTitle(/^Map: /)).toBeVisible()
}

const publicPages = [
  '/',
  '/book-appointment',
  '/request-quote',
  '/pay-invoice',
  '/payment-success',
  '/privacy',
  '/admin-dashboard/tasks',
]

test.describe('Violations and blocked content', () => {
  test('No public page violates the content security policy, even with the embedded map', async ({
    page,
  }) => {
    const violations = await watchViolations(page)
    for (const path of publicPages) {
      await page.goto(path)
      await expect(page.getByRole('heading').first()).toBeVisible()
      // Scrolls down, so that lazy content loads.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    }
    await showMap(page)
    expect(violations).toEqual([])
  })

  test('No tab of the dashboard violates the content security policy', async ({ page, shop }) => {
    await addBooking(shop, { time: '10:00:00', name: 'Dana Whitfield', date: '2031-03-04' })
    const violations = await watchViolations(page)
    await logIn(page)
    const tabs = page.getByRole('tablist').first().getByRole('tab')
    const count = await tabs.count()
    expect(count).toBeGreaterThan(3)
    for (let index = 0; index < count; index += 1) {
      await tabs.nth(index).click()
      await expect(tabs.nth(index)).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('tabpanel').first()).toBeVisible()
    }
    expect(violations).toEqual([])
  })

  test('No step from the invoice frame to the receipt violates the content security policy @viewer', async ({
    page,
  }) => {
    const number = await makeInvoice(page)
    const violations = await watchViolations(page)
    await findInvoice(page, number)
    await expect(page.getByTitle(`Invoice ${number}`)).toBeVisible()
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await page.waitForURL(/\/sandbox\//)
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByLabel('Expiry').fill('12 / 34')
    await page.getByLabel('Security code').fill('123')
    await page.getByLabel('Name on card').fill('Dana Whitfield')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    await expect(page.getByRole('heading', { name: 'Payment Confirmed' })).toBeVisible()
    expect(violations).toEqual([])
  })

  test('The content security policy blocks injected content', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/Content Security Policy/)
    const violations = await watchViolations(page)
    for (const path of publicPages) {
      await page.goto(path)
      await page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'document.title = "smuggled"'
        document.body.append(script)
        document.body.insertAdjacentHTML(
          'beforeend',
          '<img src="data:," onerror="document.title=\'smuggled\'">',
        )
      })
      await expect
        .poll(() => violations.filter((one) => one.startsWith(`${path}: script-src`)).length)
        .toBeGreaterThan(1)
      await expect(page).not.toHaveTitle('smuggled')
    }
  })
})
