import { bookInOtherWindow, fixtureInstant } from '#tests/browser/booking/booking-steps.ts'
import {
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

const fresh = `
  ${truncateTables('public.bookings')};
  delete from public.special_hours;
  update public.bays set name = 'Bay 1', technician = null where name = 'Front bay';
  delete from public.bays where name <> 'Bay 1';
  delete from public.bay_services;
  update public.bays set is_active = true, position = 1`

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(fresh)
  await shop.setClock(fixtureInstant)
  await page.clock.setFixedTime(new Date(fixtureInstant))
  await signIn(page)
  await openBays(page)
})
test.afterEach(async ({ shop }) => {
  await shop.setClock(undefined)
  await shop.database.query(fresh)
})

async function openBays(page: Page): Promise<void> {
  await page.goto('/admin-dashboard/settings/bays')
  await expect(page.getByRole('heading', { name: 'Bays', level: 3 })).toBeVisible()
}

const bays = (page: Page) => page.getByRole('list', { name: 'Bays' }).getByRole('listitem')

async function addBay(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a bay' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Add bay', exact: true }).click()
  await expect(notification(page)).toContainText('Saved')
  // The test waits until the list shows the bay, so that the next change is not based on an outdated list.
  await expect(bays(page).filter({ hasText: name })).toBeVisible()
}

test('a second bay accepts a booking for the same time, and staff can set its position and its services', async ({
  page,
  shop,
}) => {
  await expect(page.getByText('1 vehicle at a time.')).toBeVisible()
  await page.getByRole('button', { name: 'Add a bay' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    'Please enter a name.',
  )
  await page.getByLabel('Name', { exact: true }).fill('Alignment rack')
  await page.getByLabel('Technician').fill('Chidi Obi')
  await page.getByLabel('Only these').check()
  await page.getByLabel('Tire Rotation and Alignment').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add bay', exact: true }).click()
  await expect(notification(page)).toContainText('Saved')
  await expect(bays(page).nth(1)).toContainText(
    /Alignment rack.*Active.*Chidi Obi\. Only Tire Rotation and Alignment/,
  )
  await expect(page.getByText('2 vehicles at a time.')).toBeVisible()
  await page.getByRole('button', { name: 'Move Alignment rack up' }).click()
  await expect(bays(page).first()).toContainText('Alignment rack')
  const { rows } = await shop.database.query('select name from public.bays order by position')
  expect(rows.map(({ name }) => name)).toEqual(['Alignment rack', 'Bay 1'])
})

test('the deactivation of a bay first shows the bays to which its bookings move', async ({
  page,
  shop,
}) => {
  await addBay(page, 'Bay 2')
  await bookInOtherWindow(shop, '2026-11-27', '10:30')
  await bookInOtherWindow(shop, '2026-11-28', '10:30')
  await shop.database.query(
    `insert into public.special_hours (starts_at, ends_at, bay_id)
     select '2026-11-28', '2026-11-29', id from public.bays where name = 'Bay 2'`,
  )
  await page.getByRole('button', { name: 'Change Bay 1' }).click()
  await page.getByRole('switch', { name: 'Accepts appointments' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const question = page.getByRole('dialog', { name: '2 appointments in this bay' })
  await expect(question).toContainText('Robin, Friday, November 27, 10:30 AM, Brake Job: to Bay 2')
  await expect(question).toContainText('Robin, Saturday, November 28, 10:30 AM, Brake Job: no bay')
  await expectAccessible(page, 'dialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('switch')).not.toBeChecked()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await expect(bays(page).first()).toContainText('Off')
  await page.goto('/admin-dashboard/appointments?view=list')
  await expect(page.getByRole('article').last()).toContainText('No bay assigned')
})

test('the form of a bay that is opened while another bay is saved remains open', async ({
  page,
}) => {
  const release = Promise.withResolvers<void>()
  await page.getByRole('button', { name: 'Add a bay' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bay 2')
  await page.route('**/rest/v1/bays?**', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add bay', exact: true }).click()
  await expect(notification(page)).toContainText('Saved')
  await page.getByRole('button', { name: 'Change Bay 1' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Front bay')
  release.resolve()
  await expect(bays(page)).toHaveCount(2)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Front bay')
})

test('opening the form of another bay does not discard unsaved input', async ({ page }) => {
  await addBay(page, 'Bay 2')
  const name = page.getByLabel('Name', { exact: true })
  await page.getByRole('button', { name: 'Change Bay 1' }).click()
  await name.fill('Front bay')
  await page.getByRole('button', { name: 'Change Bay 2' }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(name).toHaveValue('Front bay')
  await page.getByRole('button', { name: 'Change Bay 2' }).click()
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(name).toHaveValue('Bay 2')
})

test('the second of two windows shows what the first window changed in a bay, and saves both changes', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/rpc\/save_bay/)
  await page.getByRole('button', { name: 'Change Bay 1' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Front bay')
  await shop.database.query(`update bays set technician = 'Chidi Obi' where name = 'Bay 1'`)
  // The test presses the button with a key, because a live event may first show the change of another window and move
  // the button.
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(page.locator(':focus').getByText(/^system changed this/)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Front bay')
  await expect(page.getByLabel('Technician')).toHaveValue('Chidi Obi')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(bays(page).first()).toContainText(/Front bay.*Chidi Obi/)
})

test.describe('refused changes', () => {
  test.use({ expectedConsoleErrors: [/rest\/v1\/rpc\/save_bay/] })

  test('the form of a bay shows an error at the field: for the deactivation of the last active bay, and for a duplicate name', async ({
    page,
  }) => {
    await page.getByRole('button', { name: 'Change Bay 1' }).click()
    await page.getByRole('switch').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('form').getByText('This is the last active bay.')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Change Bay 1' })).toBeFocused()
    await page.getByRole('button', { name: 'Add a bay' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Bay 1')
    await page.getByRole('button', { name: 'Add bay', exact: true }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      'Another bay has this name.',
    )
    await expectAccessible(page)
  })
})
