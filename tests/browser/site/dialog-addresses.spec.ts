import { expect, type Page, signIn, test } from '#tests/browser/fixtures.ts'
import { fillSampleWeek } from '#tests/browser/sample-records.ts'

test.afterEach(({ shop }) => shop.database.query('select internal.remove_sample_week()'))

/** Expects that the URL of an open dialog opens the dialog again, and that the browser's Back button closes it. */
async function expectAddress(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  const address = page.url()
  await page.reload()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await page.goto(address)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(page.url()).not.toBe(address)
}

test('The dialog that creates a task has its own URL', async ({ page }) => {
  await signIn(page)
  await page.goto('/admin-dashboard/tasks')
  await page.getByRole('button', { name: 'Create Task' }).click()
  await expectAddress(page, 'Create Task')
})

test('The dialog that converts an appointment into a task has its own URL', async ({
  page,
  shop,
}) => {
  await fillSampleWeek(page, shop)
  await page.goto('/admin-dashboard/appointments?view=list')
  await page
    .getByRole('button', { name: /^Add to Tasks/ })
    .first()
    .click()
  await expectAddress(page, 'Convert Appointment to Task')
})

test('The dialog that replies to a quote request and the dialog that creates a task from the request have their own URLs', async ({
  page,
  shop,
}) => {
  await fillSampleWeek(page, shop)
  await page.goto('/admin-dashboard/quotes')
  await page.getByRole('button', { name: /^Reply\s*: Odette/ }).click()
  await expectAddress(page, 'Reply to Quote Request')
  await page.getByRole('button', { name: /^Create Task\s*: Odette/ }).click()
  await expectAddress(page, 'Create Task')
})

test('A URL that names a record which no longer exists opens no dialog', async ({ page }) => {
  await signIn(page)
  await page.goto('/admin-dashboard/quotes?reply=00000000-0000-4000-8000-000000000000')
  await expect(page.getByRole('heading', { name: /^Pending Quote Requests/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
