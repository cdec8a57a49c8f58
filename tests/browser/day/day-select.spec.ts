import { addDayBooking, emptyDay, resetDay, fixtureDay } from './day-records.ts'
import {
  badNotification,
  expect,
  expectAccessible,
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

const bookings = (page: Page) => page.getByRole('list', { name: 'Appointments', exact: true })
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(name) })

async function stateOf(shop: Shop) {
  const { rows } = await shop.database.query<{ name: string; status: string; emailCount: number }>(
    `select customer_name as name, status, (select count(*)::int from emails where booking_id = bookings.id) as "emailCount"
     from bookings order by customer_name`,
  )
  return rows.map(({ name, status, emailCount }) => `${name} ${status} ${emailCount}`)
}

test('Staff select several bookings, cancel them, notify the customers, and restore those whose time is free @phone', async ({
  page,
  shop,
}) => {
  const booking = { bay: 'Bay 1', minutes: 60 }
  await addDayBooking(shop, { ...booking, time: '11:00', name: 'Priya Raman', state: 'completed' })
  await addDayBooking(shop, { ...booking, time: '13:00', name: 'Maria Delgado' })
  await addDayBooking(shop, { ...booking, time: '15:00', name: 'Grace Liu' })
  const ken = await addDayBooking(shop, { ...booking, time: '16:00', name: 'Ken Morimoto' })
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await page.getByRole('button', { name: 'Select appointments…' }).press('Enter')
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await expect(all).toBeFocused()
  await expect(bookings(page).getByRole('listitem')).toHaveCount(3)
  await page.keyboard.press('Space')
  await expect(tick(page, 'Ken Morimoto')).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel 3 appointments…' }).press('Enter')
  // Another user changes one of the selected bookings before this page cancels the selected bookings.
  await shop.database.query(
    `update bookings set completed_at = now(), completed_by = 'admin' where id = $1`,
    [ken],
  )
  const question = page.getByRole('dialog', { name: 'Cancel 3 appointments' })
  await expect(question).toContainText('Maria Delgado, Grace Liu, Ken Morimoto')
  await expect(question).toContainText('No email is sent.')
  await question.getByRole('checkbox', { name: 'Email 3 customers' }).check()
  await expect(question).not.toContainText('No email is sent.')
  await question.getByLabel('Reason').fill('The lift is broken')
  await expectAccessible(page, '.dialog-small')
  await question.getByRole('button', { name: 'Cancel 3 appointments' }).click()

  const outcome = page.locator('.cancelled-notice')
  await expect(outcome).toContainText('2 appointments cancelled.')
  await expect(outcome).toContainText('Not cancelled')
  await expect(outcome).toContainText('Ken Morimoto')
  await expect(page.getByText('There is no appointment to cancel.')).toBeVisible()
  expect(await stateOf(shop)).toEqual([
    'Grace Liu cancelled 1',
    'Ken Morimoto confirmed 0',
    'Maria Delgado cancelled 1',
    'Priya Raman confirmed 0',
  ])
  await shop.database.query('delete from bays where name <> $1', ['Bay 1'])
  await addDayBooking(shop, { ...booking, time: '15:00', name: 'Robin Quick' })
  await outcome.getByRole('button', { name: 'Undo' }).click()
  await expect(badNotification(page)).toContainText('1 of 2 restored.')
  await expect(badNotification(page)).toContainText('No longer possible: Grace Liu.')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: /Maria Delgado/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Select appointments…' })).toBeFocused()
})
