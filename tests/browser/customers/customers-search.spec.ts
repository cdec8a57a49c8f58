import {
  expect,
  expectAccessible,
  type Page,
  openDashboard,
  test,
} from '#tests/browser/fixtures.ts'
import { addBookingOf, addMaria, resetCustomers, customerIdOf } from './customer-records.ts'

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  await openDashboard(page)
})
test.afterEach(async ({ shop, page }) => {
  // Leaves the page before the cleanup, because an open panel would request the deleted customer.
  await page.goto('about:blank')
  await resetCustomers(shop)
})

const panel = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => panel(page).getByRole('combobox', { name: 'Search' })
const hits = (page: Page) => panel(page).getByRole('option')

async function open(page: Page) {
  await page.getByRole('button', { name: 'Search', exact: true }).first().press('Enter')
  await expect(field(page)).toBeFocused()
}

test('The search finds all records of a customer by a part of the name, the phone number or the plate @phone', async ({
  page,
  shop,
}) => {
  await open(page)
  await field(page).fill('delg')
  await expect(hits(page).first()).toContainText('Maria Delgado')
  await expect(hits(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page).locator('mark').first()).toHaveText('Delg')
  for (const kind of ['Customers', 'Vehicles', 'Appointments']) {
    await expect(panel(page).getByRole('group', { name: kind })).toBeVisible()
  }
  await expectAccessible(page)
  await field(page).fill('6505550199')
  await expect(hits(page).first()).toContainText('Luis Ortega')
  await field(page).fill('8 klm-204')
  await expect(panel(page).getByRole('option', { name: /^2019 Subaru Outback/ })).toBeVisible()
  await field(page).fill('delg')
  await panel(page)
    .getByRole('option', { name: /^Maria Delgado/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  const id = await customerIdOf(shop, 'Maria Delgado')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin-dashboard/customers/${id}`)
  // The panel lists recently opened records before the user types.
  await open(page)
  await expect(panel(page).getByRole('group', { name: 'Recently opened' })).toContainText(
    'Maria Delgado',
  )
  const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(stored).not.toContain('delg')
})

test('Searching, selecting, opening and booking a customer work by keyboard alone', async ({
  page,
}) => {
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('maria')
  await expect(hits(page).first()).toContainText('Maria Delgado')
  await page.keyboard.press('ArrowDown')
  await expect(hits(page).nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(hits(page).first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('maria')
  await expect(hits(page).first()).toContainText('Maria Delgado')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('b')
  const booking = page.getByRole('dialog', { name: /^Book by phone/ })
  await expect(booking.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
})

test('By keyboard, the search shows all results of one kind, and then all kinds again', async ({
  page,
  shop,
}) => {
  for (const day of ['01', '02', '03', '04']) {
    await addBookingOf(shop, {
      name: 'Maria Delgado',
      email: 'maria.delgado@customer.example',
      date: `2026-02-${day}`,
      completed: true,
    })
  }
  await open(page)
  await page.keyboard.type('delg')
  const all = panel(page).getByRole('option', { name: 'All 8' })
  await expect(all).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(all).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(hits(page)).toHaveCount(8)
  await expect(field(page)).toBeFocused()
  await expect(panel(page).getByRole('group', { name: 'Customers' })).toBeHidden()
  expect(page.url()).not.toContain('delg')
  await page.keyboard.press('Escape')
  await expect(panel(page).getByRole('group', { name: 'Customers' })).toBeVisible()
  await expect(field(page)).toHaveValue('delg')
})

test('A search without results offers a phone booking for a new customer', async ({ page }) => {
  await open(page)
  await field(page).fill('zeno')
  await expect(panel(page).getByText('No results for “zeno”.')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Book a new customer' }).press('Enter')
  const booking = page.getByRole('dialog', { name: /^Book by phone/ })
  await expect(booking.getByLabel('Name')).toHaveValue('zeno')
})

test.describe(() => {
  test.use({ expectedConsoleErrors: [/status of 400/] })

  test('A failed customer search shows an error and a retry button', async ({ page }) => {
    let isBroken = true
    await page.route('**/rest/v1/rpc/search_everything', (route) =>
      isBroken ? route.fulfill({ status: 400, json: { message: 'No' } }) : route.continue(),
    )
    await open(page)
    await field(page).fill('delg')
    await expect(panel(page).getByText('The search failed.')).toBeVisible()
    isBroken = false
    await panel(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(hits(page).first()).toContainText('Maria Delgado')
  })
})
