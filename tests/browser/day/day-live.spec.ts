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

const openTasks = async (page: Page) => {
  const hears = page.waitForResponse('**/api/admin/live')
  await page.goto('/admin-dashboard/tasks')
  await hears
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeVisible()
}

test('A new online booking is announced once on the open tab, with a link to its day', async ({
  page,
  shop,
}) => {
  // The first refetch after the stream opens reports no booking as new.
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

test('Calendar, list and settings update after a change in another window', async ({
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
