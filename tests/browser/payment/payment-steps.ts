import { expect, type Page, signIn } from '#tests/browser/fixtures.ts'

/** Creates an open invoice through the API as the admin; returns its number. */
export async function makeInvoice(page: Page, change: object = {}): Promise<string> {
  await signIn(page)
  const data = {
    customer: { name: 'Dana Whitfield', email: 'dana.whitfield@example.com', phone: '' },
    lineItems: [
      { description: 'Front brake pads and rotors', amount: '318.00', quantity: 1 },
      { description: 'Labor, brake job', amount: '142.50', quantity: 1 },
      { description: 'Brake fluid exchange', amount: '89.00', quantity: 1 },
    ],
    memo: 'Front brake job, Subaru Outback',
    dueDays: 7,
    sendEmail: false,
    currency: 'usd',
    ...change,
  }
  const response = await page.request.post('/api/invoice/create', { data })
  expect(response.ok(), await response.text()).toBe(true)
  const { invoice } = (await response.json()) as { invoice: { number: string } }
  return invoice.number
}

export async function findInvoice(page: Page, number: string): Promise<void> {
  await page.goto('/pay-invoice')
  await page.getByLabel('Invoice Number').fill(number)
  await page.getByRole('button', { name: 'Find Invoice' }).click()
}

/** Enters a card on the hosted checkout page and submits the payment. */
export async function enterCard(page: Page, number: string): Promise<void> {
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Dana Whitfield')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}
