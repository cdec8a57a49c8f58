import { addQuote, clearQuotes } from '#tests/browser/shop-records.ts'
import { addDayBooking, emptyDay, resetDay, fixtureDay } from './day-records.ts'
import {
  expect,
  expectAccessible,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

/** Inserts a booking of a new customer with a visitor's rights and a valid form token. */
async function bookOnTheWebsite(shop: Shop, name: string, time: string): Promise<void> {
  const hour = time.slice(0, 2)
  await shop.database.query(
    `begin; set local role anon;
     insert into bookings (service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone,
       vehicle_year, vehicle_make, vehicle_model)
     select id, '2026-11-27', '${time}', '${name}', 'robin${hour}@customer.example', '(650) 555-01${hour}', '2019', 'Subaru', 'Outback'
     from services where name = 'Brake Job';
     reset role;
     update bookings set flagged_reasons = '{}', held_until = null where customer_name = '${name}';
     commit`,
  )
}

/**
 * Opens the list of tasks and waits until the dashboard has recorded which records already exist, so that the dashboard
 * announces only later records.
 */
const openTasks = async (page: Page) => {
  const hears = page.waitForResponse('**/api/admin/live')
  const readsLatest = page.waitForResponse('**/rest/v1/quote_requests?select=created_at&*')
  await page.goto('/admin-dashboard/tasks')
  await hears
  await readsLatest
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeVisible()
}

test('A new online booking is announced once on an open dashboard tab, with a link to its day', async ({
  page,
  shop,
}) => {
  // When the stream of live events has opened, the dashboard refetches its data once, without announcing the bookings
  // in this response.
  await bookOnTheWebsite(shop, 'Earl Early', '09:00')
  await openTasks(page)
  await bookOnTheWebsite(shop, 'Robin Vale', '10:30')
  await expect(notification(page)).toContainText(/New booking: Robin Vale, .*10:30 AM, Brake Job/)
  await expectAccessible(page)
  await notification(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('dialog', { name: 'Robin Vale' })).toBeVisible()
  await page.keyboard.press('Escape')

  await Promise.all(
    ['12:00', '13:30', '15:00', '16:30'].map((time, nth) =>
      bookOnTheWebsite(shop, `Robin ${nth}`, time),
    ),
  )
  await expect(notification(page)).toContainText('4 new bookings')
  await expect(page.getByRole('button', { name: /Robin 3/ })).toBeVisible()
})

test('A new quote request is announced once on an open dashboard tab, unless it looks automated or is a sample', async ({
  page,
  shop,
}) => {
  await clearQuotes(shop)
  const earlier = await addQuote(shop, { name: 'Earl Early' })
  await openTasks(page)
  // A changed quote request is not new, so the page does not announce it as a new one.
  await shop.database.query(`update quote_requests set phone = '(650) 555-0144' where id = $1`, [
    earlier,
  ])
  await addQuote(shop, { name: 'Robo Caller', flagged: ['sent_too_fast'] })
  await addQuote(shop, { name: 'Sam Sample', isSample: true })
  await addQuote(shop, { name: 'Nina Petrov' })
  await expect(notification(page)).toContainText(
    'New quote request: Nina Petrov, 2015 Honda Accord.',
  )
  await expectAccessible(page)
  await notification(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('article', { name: 'Quote request of Nina Petrov' })).toBeFocused()

  // The page does not announce a quote request when its spam mark is removed.
  await shop.database.query(`update quote_requests set flagged_reasons = '{}'`)
  for (const name of ['Ana Ruiz', 'Ben Cole']) await addQuote(shop, { name })
  await expect(notification(page)).toContainText('2 new quote requests')
  await clearQuotes(shop)
})

test('The calendar, the list of appointments and the settings update after a change in another window', async ({
  page,
  shop,
}) => {
  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${fixtureDay}`)
  await expect(page.getByRole('heading', { name: 'Appointments (0)' })).toBeVisible()
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await expect(page.getByRole('listitem').filter({ hasText: 'Maria Delgado' })).toBeVisible()
  await page.goto('/admin-dashboard/settings/bays')
  const bays = page.getByRole('list', { name: 'Bays' }).getByRole('listitem')
  await expect(bays.first()).not.toContainText('Ana Reyes')
  await shop.database.query(`update bays set technician = 'Ana Reyes' where name = 'Bay 1'`)
  await expect(bays.first()).toContainText('Ana Reyes')
})
