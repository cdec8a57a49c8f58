import {
  expect,
  expectAccessible,
  logIn,
  notification,
  openDashboard,
  type Page,
  test,
} from '#tests/browser/fixtures.ts'
import { fillSampleWeek, resetShop } from '#tests/browser/sample-records.ts'

/** The timeout, in milliseconds, of the requests that the page sends. */
const callTimeoutMs = 30_000

const card = (page: Page) => page.getByRole('region', { name: /^Set up your shop/ })
const showSteps = async (page: Page) => {
  await expect(card(page)).toBeVisible()
  const unfold = page.getByRole('button', { name: 'Show steps' })
  if (await unfold.isVisible()) await unfold.press('Enter')
}
const banner = (page: Page) => page.getByRole('complementary', { name: 'Sample week' })

const quoteRequest = `
  insert into quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
  values ('Iris Kwan', 'iris@customer.example', '2015', 'Honda', 'Accord', 'Hesitates.')`

test.beforeEach(async ({ shop, page }) => {
  await resetShop(shop)
  await openDashboard(page)
})
test.afterEach(({ shop }) => shop.database.query('select internal.remove_sample_week()'))

test('A new shop lists the setup steps with links @phone', async ({ page }) => {
  await showSteps(page)
  await expect(card(page)).toContainText('Set up your shop: 0 of 10 done')
  await expectAccessible(page)
  await card(page)
    .getByRole('button', { name: /^Looks good.*Opening hours/ })
    .press('Enter')
  await expect(card(page)).toContainText('1 of 10 done')
  await card(page)
    .getByRole('button', { name: /^Looks good.*Sales tax/ })
    .press('Enter')
  await expect(card(page)).toContainText('2 of 10 done')
  await expect(card(page).getByRole('link', { name: 'BAR registration number' })).toBeVisible()
  await card(page).getByRole('link', { name: 'Set your own password' }).click()
  await expect(page.getByRole('region', { name: 'Password', exact: true })).toBeVisible()
  await expect(page.getByLabel('New password')).toBeVisible()
  await page.goBack()
  await showSteps(page)
  await card(page).getByRole('link', { name: 'Services and durations' }).press('Enter')
  await expect(page).toHaveURL(/\/settings\/services/)
})

test('The setup steps appear before the separate request for them ends, and cause no layout shift', async ({
  page,
  context,
}) => {
  // The test never responds to the request that fetches only the setup steps.
  await page.route('**/api/onboarding', () => {})
  const expectAll = async () => {
    await expect(page.getByRole('heading', { name: /^Appointments/ })).toBeVisible()
    await expect(card(page)).toBeVisible()
    await expect(page.getByText('Email is not set up.')).toBeVisible()
  }
  await page.reload()
  await expectAll()
  await context.clearCookies()
  await logIn(page)
  await expectAll()
})

test('Hidden setup steps appear again when the user opens them, and disappear when all are done', async ({
  page,
  shop,
}) => {
  await card(page).getByRole('button', { name: 'Hide' }).click()
  await expect(card(page)).toBeHidden()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Set up your shop' }).click()
  await expect(card(page)).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Set up your shop: 0 of 10 done' })).toBeVisible()
  await shop.database.query('update internal.onboarding set done_at = now()')
  await page.goto('/admin-dashboard/appointments')
  await expect(page.getByRole('heading', { name: /^Appointments/ })).toBeVisible()
  await expect(card(page)).toBeHidden()
})

test('Hidden setup steps stay hidden when the response to an earlier request arrives afterwards', async ({
  page,
  shop,
}) => {
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const delivered = Promise.withResolvers<void>()
  await page.route('**/api/onboarding', async (route) => {
    const response = await route.fetch()
    held.resolve()
    await release.promise
    // Playwright's `fulfill` fails when the page has cancelled the request.
    await route.fulfill({ response }).catch(() => {})
    delivered.resolve()
  })
  // From the reload on, `page.route` delays every request for the setup steps. The page sends such a request when it
  // receives the live event of the inserted quote request, or when its stream of live events opens later.
  await page.reload()
  await expect(card(page)).toBeVisible()
  await shop.database.query(quoteRequest)
  await held.promise
  await card(page).getByRole('button', { name: 'Hide' }).click()
  await expect(card(page)).toBeHidden()
  release.resolve()
  await delivered.promise
  await expect(page.getByRole('heading', { name: /^Appointments/ })).toBeVisible()
  await expect(card(page)).toBeHidden()
})

test('One click creates the sample week; its removal lists the appointments of customers in the sample bays and asks for confirmation', async ({
  page,
  shop,
}) => {
  // On a busy machine, filling in the sample week alone can take half a minute.
  test.slow()
  await showSteps(page)
  await page.getByRole('button', { name: 'Add a sample week' }).press('Enter')
  await expect(notification(page)).toContainText('Sample week added', {
    timeout: callTimeoutMs,
  })
  await expect(banner(page)).toContainText('This is a sample week.')
  await expect(page.getByRole('heading', { name: /^Appointments \([1-9]/ })).toBeVisible()
  await expectAccessible(page, '.sample-banner')
  await page.getByRole('tab', { name: /Invoices/ }).click()
  const invoice = page.getByRole('option', { name: /Marcus Bellweather, paid/ })
  await expect(invoice).toHaveCount(1)
  const remove = banner(page).getByRole('button', { name: 'Remove sample data' })
  const dialog = page.getByRole('dialog', { name: 'Remove the sample week?' })
  await shop.database.query(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name,
       customer_phone, customer_email)
     select service.id, '2026-12-30', '12:00', 60, bay.id, 'Rosa Delgado', '(650) 555-0190', 'rosa@customer.example'
     from (select id from services order by name limit 1) service, bays bay where bay.name = 'Sample bay 2'`,
  )
  await remove.press('Enter')
  await expect(dialog).toContainText('Rosa Delgado, ')
  await expect(dialog).toContainText('Dec 30')
  await expect(dialog).toContainText('Sample bay 2')
  await expectAccessible(page, '.dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(invoice).toHaveCount(1)
  await remove.press('Enter')
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await expect(notification(page)).toContainText('Sample week removed')
  await expect(banner(page)).toBeHidden()
  await expect(invoice).toHaveCount(0)
  const { rows } = await shop.database.query(
    `select bays.name from bookings join bays on bays.id = bay_id where customer_name = 'Rosa Delgado'`,
  )
  expect(rows).toEqual([{ name: 'Bay 1' }])
})

test('The removal of the sample week lists only the appointments of customers that it would move, and waits until the list is loaded', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  // On a busy machine, filling in the sample week alone can take half a minute.
  test.slow()
  expectedConsoleErrors.push(/500/)
  await fillSampleWeek(page, shop)
  await shop.database.query(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name,
       customer_phone, customer_email, status)
     select service.id, day, '12:00', 60, bay.id, name || ' ' || number, '(650) 555-0190', 'rosa@customer.example', status
     from (select id from services order by name limit 1) service, (select id from bays where name = 'Sample bay 2') bay,
       (values ('Moving', 'confirmed', internal.shop_now()::date + 30, 22), ('Cancelled', 'cancelled', internal.shop_now()::date + 20, 1),
               ('Missed', 'no_show', internal.shop_now()::date - 1, 1), ('Past', 'confirmed', internal.shop_now()::date - 2, 1))
         as wanted (name, status, first_day, count),
       generate_series(1, count) number, lateral (select first_day + number - 1) as place (day)`,
  )
  const dialog = page.getByRole('dialog', { name: 'Remove the sample week?' })
  const confirm = dialog.getByRole('button', { name: 'Remove it' })
  const reading = /\/rest\/v1\/bookings\?.*is_sample/
  await page.route(reading, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/admin-dashboard/appointments')
  await banner(page).getByRole('button', { name: 'Remove sample data' }).press('Enter')
  await expect(dialog).toContainText(
    'You can remove the sample week once these appointments are shown.',
  )
  await expect(confirm).toBeDisabled()
  await page.unroute(reading)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(21)
  await expect(dialog.getByRole('listitem').last()).toHaveText('and 2 more')
  await expect(dialog).toContainText('Moving 20')
  await expect(dialog).not.toContainText(/Cancelled|Missed|Past/)
  await expectAccessible(page, '.dialog')
  await confirm.click()
  await expect(notification(page)).toContainText('Sample week removed')
})

test('An open dashboard no longer offers the sample week after a visitor sent the first quote request', async ({
  page,
  shop,
}) => {
  await showSteps(page)
  const prompt = page.getByRole('button', { name: 'Add a sample week' })
  await expect(prompt).toBeVisible()
  await shop.database.query(quoteRequest)
  await expect(prompt).toBeHidden()
  await expect(card(page)).toBeVisible()
})

test.describe('Failures of the sample week', () => {
  test.use({ expectedConsoleErrors: [/\/api\/sample-week/] })

  test('The page shows why no sample week is created when the shop receives a quote request at the same moment', async ({
    page,
    shop,
  }) => {
    // Inserts a real record while the request for the sample week is running. If the record existed earlier, the page
    // would no longer offer the sample week.
    await page.route('**/api/sample-week', async (route) => {
      await shop.database.query(
        `insert into quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
         values ('Iris Kwan', 'iris@customer.example', '2015', 'Honda', 'Accord', 'Hesitates.')`,
      )
      await route.continue()
    })
    await showSteps(page)
    await page.getByRole('button', { name: 'Add a sample week' }).click()
    await expect(page.getByRole('alert')).toContainText('The shop already has real records')
    await expect(page.getByRole('button', { name: 'Add a sample week' })).toBeHidden()
    await expect(banner(page)).toBeHidden()
  })

  test('A failed request to create or remove the sample week shows an error and changes nothing', async ({
    page,
    shop,
  }) => {
    await showSteps(page)
    await page.route('**/api/sample-week', (route) => route.abort())
    await page.getByRole('button', { name: 'Add a sample week' }).click()
    await expect(page.getByRole('alert')).toContainText('The server did not respond.')
    await expect(page.getByRole('button', { name: 'Add a sample week' })).toBeEnabled()
    await shop.database.query('update internal.onboarding set sample_week_id = gen_random_uuid()')
    await page.reload()
    await page.route('**/api/sample-week/remove', (route) => route.fulfill({ status: 503 }))
    await banner(page).getByRole('button', { name: 'Remove sample data' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'Could not remove the sample week' })
    await expect(failure).toBeVisible()
    await expect(banner(page)).toBeVisible()
  })
})
