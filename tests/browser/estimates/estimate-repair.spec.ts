import { emptyDay, addDayBooking, resetDay, fixtureDay } from '#tests/browser/day/day-records.ts'
import {
  addEstimate,
  clearEstimates,
  resetEstimates,
  openEstimate,
  saved,
  total,
} from './estimate-records.ts'
import { expect, expectAccessible, signIn, test } from '#tests/browser/fixtures.ts'
import { addQuote, clearQuotes } from '#tests/browser/shop-records.ts'

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(({ shop, page }) => resetEstimates(shop, page))

test.describe('from an appointment', () => {
  test.afterEach(async ({ shop, page }) => {
    // Deletes the estimate first, because the database refuses to delete the tasks and bookings of a repair that has an
    // estimate.
    await resetEstimates(shop, page)
    await resetDay(shop)
    await shop.database.query(`delete from employees where email like '%@team.example'`)
  })

  test('an estimate of an appointment shows its service, the customer’s note and the price on the website @phone', async ({
    page,
    shop,
  }) => {
    await emptyDay(shop)
    const booking = await addDayBooking(shop, {
      bay: 'Bay 1',
      time: '13:00',
      minutes: 60,
      name: 'Maria Delgado',
      service: 'Brake Job',
      notes: 'Grinding from the front left when cold.',
    })
    await shop.database.query('update bookings set service_price_cents = 8900')
    await page.clock.setFixedTime(new Date('2026-11-24T12:40:00-08:00'))
    await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${booking}`)
    await page.getByRole('button', { name: 'Create estimate' }).click()
    const job = page.getByRole('region', { name: 'Job 1: Brake Job' })
    await expect(job.getByLabel('Description')).toHaveValue('Brake Job')
    await expect(job.getByLabel('Hours')).toHaveValue('1.5')
    await expect(job.getByLabel('Rate per hour')).toHaveValue('145.00')
    await expect(total(page)).toContainText('$217.50')
    await expect(page.getByText('Website says from $89', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Customer’s note' })).toContainText(
      'Grinding from the front left when cold.',
    )
    await expectAccessible(page)
  })

  test('a new estimate and its appointment link to each other', async ({ page, shop }) => {
    await emptyDay(shop)
    const booking = await addDayBooking(shop, {
      bay: 'Bay 1',
      time: '13:00',
      minutes: 60,
      name: 'Maria Delgado',
    })
    await shop.database.query(
      `insert into employees (name, email)
         values ('Ana Reyes', 'ana@team.example'), ('Chidi Obi', 'chidi@team.example');
       update bays set technician = 'Ana Reyes' where name = 'Bay 1'`,
    )
    await page.clock.setFixedTime(new Date('2026-11-24T12:40:00-08:00'))
    await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${booking}`)
    await page.getByRole('button', { name: 'Create estimate' }).click()
    await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
    await page.clock.resume()
    await page.getByRole('combobox', { name: 'Add a job' }).fill('Front brakes')
    await page.keyboard.press('Enter')
    const job = page.getByRole('region', { name: 'Job 2: Front brakes' })
    await job.getByLabel('Description').fill('Pads')
    await job.getByLabel('Hours').fill('1')
    await expect(saved(page)).toBeVisible()
    await page.getByRole('button', { name: 'Record phone approval' }).click()
    await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
    await page.getByRole('button', { name: 'Record $145.00' }).click()
    const assignee = page.getByRole('combobox', { name: 'Assigned to' })
    await expect(assignee.locator('option:checked')).toHaveText('Ana Reyes')
    await assignee.selectOption('Chidi Obi')
    await page.getByRole('button', { name: 'Create 1 task' }).click()
    const together = page.getByRole('complementary').getByRole('list').last()
    await expect(together).toContainText('Appointment Tuesday, November 24, 1:00 PM')
    await expect(together).toContainText('Task Front brakes')
    await page.getByRole('link', { name: 'Tuesday, November 24, 1:00 PM' }).first().click()
    const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
    await expect(panel.getByRole('link', { name: /^Estimate E-\d+, approved$/ })).toBeVisible()
    await expect(panel.getByRole('link', { name: 'Front brakes' })).toBeVisible()
    await expectAccessible(page)
    await panel.getByRole('link', { name: 'Front brakes' }).click()
    const task = page.getByRole('article', { name: 'Front brakes' })
    await expect(task).toContainText('Assigned to Chidi Obi')
    await task.getByText('Related records').click()
    await expect(task.getByRole('link', { name: 'Tuesday, November 24, 1:00 PM' })).toBeVisible()
    await task.getByRole('link', { name: /^Estimate E-/ }).click()
    await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
  })
})

test('a quote request becomes an estimate only once, and the quote request and the estimate link to each other', async ({
  page,
  shop,
}) => {
  await clearQuotes(shop)
  await addQuote(shop, { name: 'Iris Kwan' })
  await page.goto('/admin-dashboard/quotes')
  const quote = page.getByRole('article', { name: 'Quote request of Iris Kwan' })
  await quote.getByRole('button', { name: /^Create estimate/ }).click()
  await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
  await expect(page.getByText('2015 Honda Accord')).toBeVisible()
  const { rows } = await shop.database.query<{ description: string }>(
    'select description from quote_requests',
  )
  await expect(page.getByRole('region', { name: 'Customer’s note' })).toContainText(
    rows[0]?.description ?? 'no description',
  )
  await page.getByRole('link', { name: 'Quote request of Iris Kwan' }).click()
  await quote.getByText('Related records').click()
  await expect(quote.getByRole('listitem').filter({ hasText: 'Estimate' })).toContainText('draft')
  await quote.getByRole('button', { name: /^Estimate E-/ }).click()
  await expect(page.getByText('2015 Honda Accord')).toBeVisible()
  expect((await shop.database.query('select from estimates')).rowCount).toBe(1)
  await page.goto('about:blank')
  await clearEstimates(shop)
  await clearQuotes(shop)
})

test('an estimate keeps the tax rate of its first day until staff apply today’s rate', async ({
  page,
  shop,
}) => {
  await shop.database.query(`delete from tax_rates where effective_from > '2026-01-01'`)
  const id = await addEstimate(shop, { jobs: [{ title: 'Pads', cents: 10_000 }] })
  await shop.database.query(
    `update estimate_lines set is_taxable = true;
     insert into tax_rates values (internal.shop_now()::date, 100000)`,
  )
  await openEstimate(page, id)
  await expect(page.getByText('$109.13').first()).toBeVisible()
  await page.getByRole('button', { name: 'Use today’s rate' }).click()
  await expect(page.getByText('$110.00').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use today’s rate' })).toHaveCount(0)
  await shop.database.query(`delete from tax_rates where effective_from > '2026-01-01'`)
})
