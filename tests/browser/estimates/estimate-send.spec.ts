import {
  addEstimate,
  clearEstimates,
  resetEstimates,
  newEstimate,
  openEstimate,
  saved,
} from './estimate-records.ts'
import {
  expect,
  expectAccessible,
  messageInOutbox,
  notification,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

const jobs = [
  { title: 'Front brakes', cents: 35_669 },
  { title: 'Coolant flush', cents: 16_980, isNeeded: false },
] as const
const email = 'maria@customer.example'

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  await resetEstimates(shop, page)
  await shop.database.query(truncateTables('public.emails'))
})

test('an estimate is sent, the customer decides on its page, the dashboard updates live, and the invoice is created @phone', async ({
  page,
  context,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs })
  await openEstimate(page, id)
  await expect(page.getByText(`To ${email}, with the link to the estimate.`)).toBeVisible()
  await expect(
    page.getByText('Email is not set up. Messages are kept in the outbox.', { exact: true }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Send for approval' }).click()
  await expect(notification(page)).toContainText('Customer not notified')
  await expect(notification(page)).toContainText(messageInOutbox)
  await expect(page.getByRole('region', { name: 'Front brakes' })).toContainText('No answer yet')
  await expectAccessible(page)
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  const customer = await context.newPage()
  await customer.goto(`/estimate/${rows[0]?.token}`)
  await customer.getByLabel(/^Type your name/).fill('Maria Delgado')
  await customer.getByRole('button', { name: /^Approve \$356\.69/ }).click()
  // The dashboard shows the customer's decision without a reload.
  await expect(page.getByText('Approved, 1 of 2 jobs')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Coolant flush' })).toContainText(
    /Declined by Maria Delgado online/,
  )
  await page.getByRole('button', { name: 'Create invoice, $356.69' }).click()
  await expect(page.getByRole('link', { name: /^Invoice \S+$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Create invoice/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change the estimate' })).toHaveCount(0)
  await page.getByRole('link', { name: /^Invoice \S+$/ }).click()
  await expect(page.getByRole('link', { name: /^Estimate E-\d+$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  const invoice = page
    .locator('.sent-invoices')
    .getByRole('listitem')
    .filter({ hasText: 'Maria Delgado' })
  await invoice.getByText('Related records').click()
  await expect(invoice.getByRole('link', { name: /^E-\d+$/ })).toBeVisible()
})

test('an estimate without an email address is printed, and the page lists its missing details', async ({
  page,
}) => {
  await newEstimate(page)
  await expect(page.getByRole('link', { name: 'Print' })).toHaveAttribute(
    'href',
    /^\/api\/admin\/estimate\/.*\/pdf$/,
  )
  await expect(page.getByRole('button', { name: 'Send for approval' })).toHaveCount(0)
  await page.getByLabel('Email', { exact: true }).fill('maria@')
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
    'Enter a complete email address.',
  )
  await page.getByLabel('Email', { exact: true }).fill(email)
  await expect(saved(page)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send for approval' }).first().click()
  const missing = page.getByRole('list', { name: 'Before it can be sent' })
  await expect(missing).toBeFocused()
  await expect(missing).toContainText('Enter a customer.')
  await expect(missing).toContainText('Add a job first.')
  // Each line about a missing detail is a button that focuses the field of this detail.
  await page.getByRole('button', { name: 'Done' }).click()
  await missing.getByRole('button', { name: 'Enter year, make and model of the vehicle.' }).click()
  await expect(page.getByLabel('Year')).toBeFocused()
  await page.getByLabel('Year').fill('2019')
  await page.getByLabel('Make').fill('Subaru')
  await page.getByLabel('Model').fill('Outback')
  await expect(missing).not.toContainText('Enter year, make and model of the vehicle.')
})

test('an approved estimate without an odometer reading gets its invoice after the reading is saved @phone', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { email, odometerMiles: null, jobs: jobs.slice(0, 1) })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
  await page.getByRole('button', { name: 'Record $356.69' }).click()
  const odometer = page.getByLabel('Odometer')
  await odometer.fill('about 70,000')
  await page.getByRole('button', { name: 'Save odometer' }).click()
  await expect(odometer).toHaveAccessibleDescription(/Enter the miles as a whole number/)
  await expectAccessible(page)
  await odometer.fill('71,506')
  await page.getByRole('button', { name: 'Save odometer' }).click()
  await expect(page.getByText('71,506 mi')).toBeVisible()
  await page.getByRole('button', { name: 'Create invoice, $356.69' }).click()
  await expect(page.getByRole('link', { name: /^Invoice \S+$/ })).toBeVisible()
})

test('the page of an invoice names the third-party payer of its estimate', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs: jobs.slice(0, 1) })
  await shop.database.query(
    `update estimates set payer_name = 'Pacific Mutual', payer_reference = 'PM-20417' where id = $1`,
    [id],
  )
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
  await page.getByRole('button', { name: 'Record $356.69' }).click()
  await page.getByRole('button', { name: 'Create invoice, $356.69' }).click()
  await page.getByRole('link', { name: /^Invoice \S+$/ }).click()
  await expect(page.getByText('Third-party payer Pacific Mutual')).toBeVisible()
  await expect(page.getByText('Claim or estimate number PM-20417')).toBeVisible()
  await expectAccessible(page)
})

test('towing requires a separate estimate, and a repair estimate refuses a towing line', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs: [{ title: 'Towing', cents: 18_000 }] })
  await openEstimate(page, id)
  await expect(page.getByRole('list', { name: 'Before it can be sent' })).toContainText(
    'Towing needs an estimate and an invoice of its own.',
  )
  await page.goto('/admin-dashboard/invoices')
  await page.getByRole('button', { name: 'New towing estimate' }).click()
  await expect(page.getByRole('heading', { name: /^Towing estimate E-/ })).toBeVisible()
  await page.getByLabel('Customer', { exact: true }).fill('Maria Delgado')
  await expect(saved(page)).toBeVisible()
  await page.goto('/admin-dashboard/invoices')
  await expect(page.getByRole('region', { name: 'Estimates' })).toContainText('(towing)')
})

test('the page of a customer shows the third-party payer of an estimate @phone', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs: jobs.slice(0, 1) })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Third-party payer' }).click()
  await expect(page.getByRole('textbox', { name: 'Third-party payer' })).toBeFocused()
  await page.keyboard.type('Bay Mutual')
  const missing = page.getByRole('list', { name: 'Before it can be sent' })
  await missing.getByRole('button', { name: /^Enter the number of the payer/ }).click()
  await expect(page.getByLabel('Claim or estimate number')).toBeFocused()
  await page.keyboard.type('CLM-5531')
  await expect(missing).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send for approval' }).first().click()
  await expect(page.getByText('Bay Mutual, CLM-5531')).toBeVisible()
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  await page.goto(`/estimate/${rows[0]?.token}`)
  await expect(page.getByText('ask the third-party payer to approve their payment')).toBeVisible()
  await expectAccessible(page)
})

test.describe('a refused invoice', () => {
  test.use({ expectedConsoleErrors: [/api\/admin\/estimate\/invoice/] })

  test('an invoice above the approved total is refused with a message that names the job and both amounts, until staff record an approval of the higher amount', async ({
    page,
    shop,
  }) => {
    const id = await addEstimate(shop, { email, jobs: jobs.slice(0, 1) })
    await openEstimate(page, id)
    await page.getByRole('button', { name: 'Record phone approval' }).click()
    await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
    await page.getByRole('button', { name: 'Record $356.69' }).click()
    await page.getByRole('button', { name: 'Add work approved by phone' }).click()
    await page.getByLabel('Rate per hour').fill('356.70')
    await expect(saved(page)).toBeVisible()
    await page.getByRole('button', { name: 'Send for approval' }).first().click()
    await page.getByRole('button', { name: 'Create invoice, $356.70' }).click()
    const refusal = page.getByRole('main').getByRole('alert')
    await expect(refusal).toContainText(
      'Front brakes: the price is $356.70, but only $356.69 was approved. Record an approval first.',
    )
    // Scrolls to the top, because the page's fixed bar may cover a part of a button after the click.
    await page.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(page)
    await refusal.getByRole('button', { name: 'Record an approval' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Front brakes').selectOption('Approved')
    await dialog.getByLabel('How').selectOption('Phone')
    await page.getByRole('button', { name: 'Record $356.70' }).click()
    await page.getByRole('button', { name: 'Create invoice, $356.70' }).click()
    await expect(page.getByRole('link', { name: /^Invoice \S+$/ })).toBeVisible()
  })
})
