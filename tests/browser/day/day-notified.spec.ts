import { addDayBooking, emptyDay, resetDay, fixtureDay } from './day-records.ts'
import {
  adminLogin,
  expect,
  expectAccessible,
  messageInOutbox,
  notification as toasted,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const openDay = (page: Page) => page.goto(`/admin-dashboard/day/${fixtureDay}`)
const block = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(name) })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Maria Delgado' })
const notification = (page: Page) =>
  panel(page).getByRole('region', { name: 'Customer notification' })

/** Moves an appointment with the staff's rights, as another browser window would. */
const move = (shop: Shop, time: string) =>
  shop.database.query(
    `with staff as materialized (
       select set_config('request.jwt.claims', jsonb_build_object('sub', user_id)::text, true)
       from staff_accounts where username = $2)
     select public.move_booking(id, version, appointment_date, $1) from staff, bookings`,
    [time, adminLogin.username],
  )
/** Records the pending email as delivered, as if a mail server had accepted it. */
const deliver = (shop: Shop) =>
  shop.database.query(
    `select public.record_email_sent(id, 'sent', null) from emails where kind = 'booking_moved'`,
  )
const emailCount = async (shop: Shop) => {
  const { rows } = await shop.database.query(`select from emails where kind = 'booking_moved'`)
  return rows.length
}

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

test('A customer who was not notified of a move has a badge until an email about it is delivered @phone', async ({
  page,
  shop,
}) => {
  await openDay(page)
  await expect(block(page, 'Maria Delgado')).toBeVisible()
  await expect(page.getByText('Customer not notified')).toHaveCount(0)
  await move(shop, '15:00')
  await expect(block(page, 'Maria Delgado')).toContainText('Customer not notified')
  await expectAccessible(page)
  await page.goto('/admin-dashboard/today')
  await expect(page.getByRole('list', { name: 'Appointments today' })).toContainText(
    'Customer not notified',
  )
  await page.getByRole('link', { name: 'Customer not notified: Maria Delgado' }).click()
  await expect(notification(page)).toContainText('Customer not notified')
  await expect(notification(page)).toContainText(
    'The last notification names Tue, Nov 24, 1:00 PM.',
  )
  await expectAccessible(page)
  await expect(notification(page)).toContainText('Messages are kept in the outbox.')
  await expect(notification(page).getByRole('link', { name: 'Call' })).toBeVisible()
  await notification(page).getByRole('button', { name: 'Notify by email' }).click()
  await expect(toasted(page)).toContainText(messageInOutbox)
  await expect.poll(() => emailCount(shop)).toBe(1)
  await expect(notification(page)).toContainText('Customer not notified')
  await deliver(shop)
  await expect(notification(page)).toHaveCount(0)
  await expect(page.getByText('Customer not notified')).toHaveCount(0)
})

test('The badge for a missing notification disappears when the appointment is moved back, and when staff dismiss it with a reason', async ({
  page,
  shop,
}) => {
  await openDay(page)
  await move(shop, '15:00')
  await expect(block(page, 'Maria Delgado')).toContainText('Customer not notified')
  await move(shop, '13:00')
  await expect(block(page, 'Maria Delgado')).not.toContainText('Customer not notified')
  await move(shop, '16:00')
  await block(page, 'Maria Delgado').click()
  await notification(page).getByRole('button', { name: 'Dismiss…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dismiss this notification?' })
  await expect(dialog.getByRole('button', { name: 'Dismiss' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('Called, comes at 4')
  await expectAccessible(page)
  await dialog.getByLabel('Reason').press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(notification(page)).toHaveCount(0)
  await expect(block(page, 'Maria Delgado')).not.toContainText('Customer not notified')
  await panel(page)
    .getByText(/^History/)
    .click()
  await expect(panel(page)).toContainText('Dismissed “Customer not notified”')
  await expect(panel(page)).toContainText('Called, comes at 4')
})

test('The badge for a missing notification asks staff to call a customer without an email address, even after a cancellation', async ({
  page,
  shop,
}) => {
  await shop.database.query(`update bookings set customer_email = null`)
  await openDay(page)
  await block(page, 'Maria Delgado').click()
  await panel(page).getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(notification(page)).toContainText('Call (650) 555-0167')
  await expect(notification(page).getByRole('link', { name: 'Call' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 to notify')).toBeVisible()
  await page.goto('/admin-dashboard/today')
  await expect(
    page.getByRole('link', { name: 'Call (650) 555-0167: Maria Delgado' }),
  ).toContainText('Cancelled: Tuesday, November 24 at 1:00 PM')
})
