import {
  addEstimate,
  clearEstimates,
  openEstimate,
  resetEstimates,
  saved,
} from './estimate-records.ts'
import { expect, expectAccessible, signIn, test } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  await resetEstimates(shop, page)
  await shop.database.query(truncateTables('public.emails'))
})

test('a tear-down estimate states its terms, the customer approves it, and staff record what the customer declines afterwards @phone', async ({
  page,
  context,
  shop,
}) => {
  const email = 'maria@customer.example'
  const jobs = [{ title: 'Transmission tear-down', cents: 43_500 }]
  const id = await addEstimate(shop, { email, jobs })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Tear-down', exact: true }).click()
  await expect(page.getByLabel('Areas')).toBeFocused()
  await expect(saved(page)).toBeVisible()
  const missing = page.getByRole('list', { name: 'Before it can be sent' })
  await missing.getByRole('button', { name: 'Enter the longest time to reassemble.' }).click()
  await expect(page.getByLabel('Longest time to reassemble')).toBeFocused()
  await page.getByLabel('Areas').fill('Transmission')
  await page.getByLabel('Price of tear-down').fill('29o')
  await expect(page.getByLabel('Price of tear-down')).toHaveAccessibleDescription(
    /Enter an amount in dollars and cents/,
  )
  await page.getByLabel('Price of tear-down').fill('290')
  await page.getByLabel('Price of reassembly').fill('140')
  await page.getByLabel('Parts normally destroyed').fill('Gaskets and seals')
  await page.getByLabel('Longest time to reassemble').fill('5 business days')
  await page.getByLabel('May prevent reassembly').selectOption('Yes')
  await expect(missing).toContainText('Before tax, the lines must add up to the price of tear-down')
  await expectAccessible(page)
  await page.getByLabel('Price of reassembly').fill('145')
  await expect(missing).toHaveCount(0)
  await page.getByRole('button', { name: 'Send for approval' }).first().click()
  const job = page.getByRole('region', { name: 'Transmission tear-down' })
  await expect(job).toContainText('No answer yet')
  await expect(job).toContainText('Longest time to reassemble')
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  const customer = await context.newPage()
  await customer.goto(`/estimate/${rows[0]?.token}`)
  await expect(customer.getByText('Gaskets and seals')).toBeVisible()
  await expectAccessible(customer)
  await customer.getByLabel(/^Type your name/).fill('Maria Delgado')
  await customer.getByRole('button', { name: /^Approve \$435\.00/ }).click()
  await job.getByRole('button', { name: 'Customer declines the repair' }).click()
  await expect(job).toContainText('The customer declined the repair.')
  await expect(page.getByRole('region', { name: 'History' })).toContainText(
    'The customer declined the repair after the tear-down: Transmission tear-down.',
  )
  await expectAccessible(page)
  await job.getByRole('button', { name: 'Itemize the repair' }).click()
  await expect(page.getByRole('combobox', { name: 'Add a job' })).toBeFocused()
})
