import { emptyTheDay, fillTheDay, leaveTheDay, theDay } from './day-records.ts'
import {
  expect,
  expectAccessible,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from './fixtures.ts'

const openDay = (page: Page, date = theDay) =>
  page.goto(`/admin-dashboard?tab=appointments&view=day&day=${date}`)

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768
/** What a phone shows in one list stands on a wide screen in the bay's column. */
const lane = (page: Page, bay: string) =>
  page.getByRole('list', { name: isPhone(page) ? 'Cars' : bay, exact: true })
const car = (page: Page, bay: string, name: string) =>
  lane(page, bay).getByRole('button', { name: new RegExp(name) })
const panel = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Where the appointments of a name are, and what became of them. */
async function placeOf(shop: Shop, name: string) {
  const { rows } = await shop.database.query<{ at: string; bay: string | null }>(
    `select (appointment_date + appointment_time)::text as at, duration_minutes as minutes,
       (select bays.name from bays where id = bay_id) as bay
     from bookings where customer_name = $1`,
    [name],
  )
  return rows[0]
}
async function storyOf(shop: Shop, name: string) {
  const { rows } = await shop.database.query<{ kind: string }>(
    `select kind from booking_events where booking_id = (select id from bookings where customer_name = $1)
     order by id`,
    [name],
  )
  return rows.map(({ kind }) => kind)
}

test.beforeEach(async ({ shop, page }) => {
  await emptyTheDay(shop)
  await signIn(page)
})
test.afterEach(({ shop }) => leaveTheDay(shop))

test('A car is moved to a free time of another day, its customer is told, and it is put back', async ({
  page,
  shop,
}) => {
  await fillTheDay(shop)
  await openDay(page)
  await car(page, 'Bay 1', 'Maria Delgado').click()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Move…' }).click()
  const move = panel(page, 'Move Maria Delgado')
  await expect(move.getByText('Tue, Nov 24, 1:00 PM')).toBeVisible()
  await expect(move.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
  await move.getByRole('button', { name: /^Friday, November 27, \d+ free/ }).click()
  await move.getByRole('region', { name: 'Bay 2' }).getByRole('button', { name: '9:00 AM' }).click()
  await expect(move.getByLabel(/Tell the customer by e-mail/)).toBeChecked()
  await expect(move).toContainText('“New time: Oil Change, Friday, November 27, 2026 at 9:00 AM”')
  await expectAccessible(page)
  await move.getByRole('button', { name: 'Move to Fri, 9:00 AM' }).click()
  await expect(notification(page)).toContainText('Moved and told')
  await expect(page).toHaveURL(/day=2026-11-27/)
  await expect(car(page, 'Bay 2', 'Maria Delgado')).toBeFocused()
  expect(await placeOf(shop, 'Maria Delgado')).toEqual({
    at: '2026-11-27 09:00:00',
    minutes: 60,
    bay: 'Bay 2',
  })
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notification(page)).toContainText('Put back')
  await expect(notification(page)).toContainText('The e-mail is not sent.')
  expect(await placeOf(shop, 'Maria Delgado')).toMatchObject({
    at: '2026-11-24 13:00:00',
    bay: 'Bay 1',
  })
  expect(await storyOf(shop, 'Maria Delgado')).toEqual(['booked', 'moved', 'moved'])
})
