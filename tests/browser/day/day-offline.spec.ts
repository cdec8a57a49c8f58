import { fillDay, resetDay, fixtureDay, setPageClock } from './day-records.ts'
import {
  badNotification,
  expect,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const openMaria = async (page: Page) => {
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await page.getByRole('button', { name: /Maria Delgado/ }).click()
  return page.getByRole('dialog', { name: 'Maria Delgado' })
}

test.beforeEach(async ({ shop, page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/ERR_|Failed|live/)
  await fillDay(shop)
  await setPageClock(page)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

test('A move of a booking without a connection shows that nothing is saved, keeps the chosen time, and can be saved later', async ({
  page,
  context,
}) => {
  const bookingPanel = await openMaria(page)
  await bookingPanel.getByRole('button', { name: 'Move…' }).click()
  const move = page.getByRole('dialog', { name: 'Move Maria Delgado' })
  const time = move.getByRole('region', { name: 'Rack' }).getByRole('button', { name: '3:00 PM' })
  await time.click()
  const save = move.getByRole('button', { name: 'Move to Tue, 3:00 PM' })
  await expect(save).toBeEnabled()
  await context.setOffline(true)
  await expect(move).toContainText('No connection. Nothing is saved until the connection is back.')
  await expect(save).toBeDisabled()
  await expect(time).toHaveAttribute('aria-pressed', 'true')
  await context.setOffline(false)
  await save.click()
  await expect(notification(page)).toContainText('Moved')
})

test('Undoing a change without a connection is refused immediately, and is not sent later', async ({
  page,
  context,
  shop,
}) => {
  const bookingPanel = await openMaria(page)
  await bookingPanel.getByRole('button', { name: 'Arrived', exact: true }).click()
  await expect(notification(page)).toContainText('Arrived')
  await context.setOffline(true)
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(badNotification(page)).toContainText('You’re offline.')
  await context.setOffline(false)
  await bookingPanel.getByRole('button', { name: 'Start work' }).click()
  await expect(notification(page)).toContainText('In work')
  const { rows } = await shop.database.query(
    `select kind from booking_events
     where booking_id = (select id from bookings where customer_name = 'Maria Delgado') order by id`,
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['booked', 'arrived', 'started'])
})

test('A typed reason for a cancellation is kept until the booking is cancelled', async ({
  page,
}) => {
  const bookingPanel = await openMaria(page)
  await bookingPanel.getByRole('button', { name: 'Cancel…' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this appointment?' })
  await question.getByLabel('Reason (optional)').fill('Sold the car')
  const change = '**/api/commands/cancel-booking'
  await page.route(change, (route) => route.abort())
  await question.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(badNotification(page)).toContainText('You’re offline.')
  await expect(question.getByLabel('Reason (optional)')).toHaveValue('Sold the car')
  await page.unroute(change)
  await question.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(notification(page)).toContainText('Cancelled')
  await expect(question).toHaveCount(0)
})
