import { emptyDay, resetDay, fixtureDay } from './day-records.ts'
import { expect, expectAccessible, notification, signIn, test } from '#tests/browser/fixtures.ts'
import { addVisitPage, heading } from '#tests/browser/visit-page/visit-page-steps.ts'

test.beforeEach(({ shop }) => emptyDay(shop))
test.afterEach(({ shop }) => resetDay(shop))

test('every page shows a vehicle whose work is finished as ready until it is picked up', async ({
  page,
  shop,
}) => {
  const { id, path } = await addVisitPage(shop)
  await shop.setClock('2026-11-24T13:30:00-08:00')
  await shop.database.query(
    `update bookings set status = 'arrived' where id = '${id}';
     insert into tasks (title, booking_id, status, completed_at, ready_for_pickup_at)
     values ('Front brakes', '${id}', 'completed', now(), internal.current_instant())`,
  )
  await page.goto(path)
  await expect(heading(page, 'Your car is ready. Pick it up by 7:00 PM.')).toBeVisible()
  await signIn(page)
  await page.goto('/admin-dashboard/today')
  const today = page.getByRole('main')
  await expect(today).toContainText('Maria Delgado, ready for pickup')
  await expect(today).not.toContainText('has arrived')
  await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${id}`)
  const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await expect(panel.locator('.badge').first()).toHaveText('Ready for pickup')
  await expect(panel.getByRole('button', { name: 'Complete', exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: /Start work|Arrived/ })).toHaveCount(0)
  await expectAccessible(page)

  await page.goto('/admin-dashboard/tasks')
  const card = page.getByRole('article', { name: 'Front brakes' })
  await expect(card).toContainText('Vehicle Ready for pickup')
  await card.getByRole('button', { name: /^Picked up/ }).click()
  await expect(card).toContainText('Vehicle Picked up')
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await card.getByRole('button', { name: /^Picked up/ }).click()
  await expect(card).toContainText('Vehicle Picked up')
  await page.goto('/admin-dashboard/today')
  await expect(today).toContainText('Appointments today')
  await expect(today).not.toContainText('ready for pickup')
  await page.goto(path)
  await expect(heading(page, 'Your appointment is complete')).toBeVisible()
})

test('starting a task marks the vehicle as in work, and the history lists the start and its undo', async ({
  page,
  shop,
}) => {
  const { id } = await addVisitPage(shop)
  await shop.setClock('2026-11-24T13:10:00-08:00')
  await shop.database.query(`insert into tasks (title, booking_id) values ('Front brakes', $1)`, [
    id,
  ])
  await signIn(page)
  await page.goto('/admin-dashboard/tasks')
  const card = page.getByRole('article', { name: 'Front brakes' })
  await expect(card).toContainText('Vehicle Booked')
  await card.getByRole('button', { name: /^Start Task/ }).click()
  await expect(card).toContainText('Vehicle In work')
  await card.getByRole('button', { name: /^Update Status/ }).click()
  const status = page.getByRole('dialog', { name: 'Update Task Status' })
  await status.getByLabel('Status').selectOption('Pending')
  await status.getByRole('button', { name: 'Update Status' }).click()
  await expect(card).toContainText('Vehicle Booked')
  await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${id}`)
  const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await panel.getByText('History').click()
  await expect(panel).toContainText('Work started')
  await expect(panel).toContainText('Back to Booked')
  await expect(panel).toContainText('(task)')
})
