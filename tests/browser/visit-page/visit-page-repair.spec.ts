import { emptyDay, resetDay } from '#tests/browser/day/day-records.ts'
import { expect, expectAccessible, signIn, test } from '#tests/browser/fixtures.ts'
import {
  sendTestEstimate,
  resetSentEstimates,
} from '#tests/browser/estimates/sent-estimate-records.ts'
import { addVisitPage, expectNoWiderThanScreen, heading, main } from './visit-page-steps.ts'

test.beforeEach(({ shop }) => emptyDay(shop))
test.afterEach(async ({ shop }) => {
  await resetSentEstimates(shop)
  await resetDay(shop)
})

test('the visit page shows the estimate, then the progress of the repair until the vehicle is ready', async ({
  page,
  shop,
}) => {
  const { id: bookingId, path } = await addVisitPage(shop)
  await shop.setClock('2026-11-24T13:30:00-08:00')
  await shop.database.query(`update bookings set status = 'in_work' where id = $1`, [bookingId])
  const { id } = await sendTestEstimate(shop, { bookingId })
  await page.goto(path)
  await expect(heading(page, 'Your estimate is ready')).toBeVisible()
  await expect(page.locator('[aria-current=step]')).toHaveText('Estimate')
  await expectAccessible(page)
  await page.getByLabel('Type your name to approve').fill('Maria Delgado')
  await page.getByRole('button', { name: 'Approve $356.69' }).click()
  await expect(heading(page, 'You approved 1 of 3 jobs')).toBeVisible()
  await shop.database.query(
    `insert into tasks (title, booking_id, estimate_id, estimate_job_key, status, customer_note)
     select job.title, $1, $2, job.job_key, 'waiting_on_parts', 'pads arrive Friday'
     from estimate_jobs job where job.estimate_id = $2 and job.position = 1`,
    [bookingId, id],
  )
  await page.goto(path)
  await expect(heading(page, 'Waiting on parts: pads arrive Friday')).toBeVisible()
  await expect(main(page)).toContainText('Maria Delgado, online, November 24, 2026, 1:30 PM')
  await expectAccessible(page)
  await shop.database.query(
    `update tasks set status = 'completed', completed_at = now(), ready_for_pickup_at = internal.current_instant()`,
  )
  await page.reload()
  await expect(heading(page, 'Your car is ready. Pick it up by 7:00 PM.')).toBeVisible()
  await expect(main(page)).toContainText(
    'Can wait: Cabin air filter, $55.68; Coolant flush, $169.80.',
  )
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoWiderThanScreen(page)
})

test('the visit page shows the note for the customer that staff wrote', async ({ page, shop }) => {
  const { id: bookingId, path } = await addVisitPage(shop)
  await shop.setClock('2026-11-24T13:30:00-08:00')
  await shop.database.query(
    `update bookings set status = 'in_work' where id = '${bookingId}';
     insert into tasks (title, booking_id, status) values ('Front brakes', '${bookingId}', 'in_progress')`,
  )
  await signIn(page)
  await page.goto('/admin-dashboard/tasks')
  await page.getByRole('button', { name: 'Update Status' }).first().click()
  const panel = page.getByRole('dialog', { name: 'Update Task Status' })
  await panel.getByLabel('Status').selectOption('Waiting on Parts')
  await panel.getByLabel('For the customer (optional)').fill('pads arrive Friday')
  await panel.getByLabel('Notes (optional)').fill('Half the price we charge.')
  await expectAccessible(page, 'dialog')
  await panel.getByLabel('For the customer (optional)').press('Enter')
  await expect(panel).toBeHidden()
  await page.goto(path)
  await expect(heading(page, 'Waiting on parts: pads arrive Friday')).toBeVisible()
  await expect(main(page)).not.toContainText('Half the price')
})
