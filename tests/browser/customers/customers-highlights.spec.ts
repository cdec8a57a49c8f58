import { expect, expectAccessible, openDashboard, signIn, test } from '#tests/browser/fixtures.ts'
import { addBookingOf, addMaria, resetCustomers } from './customer-records.ts'

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  // Leaves the page before the cleanup, because an open panel would request the deleted customer.
  await page.goto('about:blank')
  await resetCustomers(shop)
})

test('An appointment shows the highlights of its customer and vehicle', async ({ page, shop }) => {
  await addBookingOf(shop, {
    name: 'Maria Delgado',
    email: 'maria.delgado@customer.example',
    date: '2026-11-26',
    time: '15:00',
  })
  const { rows } = await shop.database.query<{ id: string }>(
    "select id from bookings where appointment_date = '2026-11-24'",
  )
  await page.goto(`/admin-dashboard/day/2026-11-24?booking=${rows[0]?.id}`)
  const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await expect(panel.getByText('Last visit Oct 3, 2026, Brake Job.')).toBeVisible()
  await expect(panel.getByText('1 no-show.')).toBeVisible()
  await expect(
    panel.getByText('This vehicle has another appointment: Nov 26, 2026, 3:00 PM.'),
  ).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('link', { name: 'All about this vehicle' }).press('Enter')
  await expect(page.getByRole('heading', { name: '2019 Subaru Outback' })).toBeVisible()
})

test('A phone booking shows that the customer missed an appointment', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).fill('maria')
  await expect(page.getByRole('option').first()).toContainText('Maria Delgado')
  await page.getByRole('button', { name: 'book for this customer' }).press('Enter')
  const panel = page.getByRole('dialog', { name: /^Book by phone/ })
  await expect(panel.getByText('1 no-show.')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Open this customer' })).toBeVisible()
})
