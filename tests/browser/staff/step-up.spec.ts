import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import {
  addMaria,
  customerIdOf,
  resetCustomers,
} from '#tests/browser/customers/customer-records.ts'

// The browser logs each refused request in the console.
test.use({ expectedConsoleErrors: [/status of 403/] })

test.beforeEach(async ({ page, shop }) => {
  await addMaria(shop)
  await signIn(page)
  await forgetConfirmations(shop)
})
test.afterEach(async ({ shop }) => {
  await resetCustomers(shop)
  await shop.database.query('delete from internal.calendar_feed')
})

const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** Types the password into the focused field of the dialog, and confirms with Enter. */
async function confirm(page: Page): Promise<void> {
  await expect(stepUp(page).getByLabel('Password')).toBeFocused()
  await page.keyboard.type(adminLogin.password)
  await page.keyboard.press('Enter')
}

test('an export and an erasure of a customer within five minutes ask for the password only once @phone', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `update bookings set status = 'cancelled' where appointment_date = '2026-11-24'`,
  )
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  await page.getByRole('button', { name: 'Erase customer data…' }).press('Enter')
  const word = page.getByLabel('Type erase to go on')
  await word.fill('erase')
  await word.press('Enter')
  await expect(stepUp(page)).toContainText('You are about to erase the data of Maria Delgado.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(stepUp(page)).toBeHidden()
  await expect(word).toHaveValue('erase')
  await expect(page.getByText('Could not erase the data.')).toBeHidden()
  expect(await customerIdOf(shop, 'Maria Delgado')).not.toBe('')

  await page.getByRole('button', { name: 'Export first' }).press('Enter')
  await expect(stepUp(page)).toContainText('You are about to export the data of Maria Delgado.')
  const saved = page.waitForEvent('download')
  await confirm(page)
  expect((await saved).suggestedFilename()).toBe('person.zip')
  await word.press('Enter')
  await expect(notification(page)).toContainText('Erased.')
  expect(await customerIdOf(shop, 'Maria Delgado')).toBe('')
})

test('a file for the accountant is downloaded after the password was confirmed', async ({
  page,
}) => {
  await page.goto('/admin-dashboard/settings/accountant')
  await page.getByLabel('From', { exact: true }).fill('2026-06-20')
  await page.getByLabel('To', { exact: true }).fill('2026-10-03')
  await page.getByRole('button', { name: 'Download appointments' }).press('Enter')
  await expect(page.getByText('No file was saved.')).toBeHidden()
  const saved = page.waitForEvent('download')
  await confirm(page)
  expect((await saved).suggestedFilename()).toBe('appointments-2026-06-20-to-2026-10-03.csv')
})

test('the calendar feed gets a URL after the password was confirmed, and a new URL without another confirmation', async ({
  page,
}) => {
  await page.goto('/admin-dashboard/settings/email')
  await page.getByRole('button', { name: 'Create address' }).press('Enter')
  await expect(stepUp(page)).toContainText('create a new address of the calendar')
  await confirm(page)
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toHaveValue(/\/calendar\/[\w-]{43}\.ics$/)
  const first = await address.inputValue()
  await page.getByRole('button', { name: 'Create new address' }).click()
  await page
    .getByRole('dialog', { name: 'Create new address?' })
    .getByRole('button', { name: 'Create new address' })
    .click()
  await expect(address).not.toHaveValue(first)
  await expect(stepUp(page)).toBeHidden()
})

test('a wrong password in the confirmation shows the remaining attempts, and the dialog stays open', async ({
  page,
}) => {
  await page.route('**/api/admin/confirm-password', (route) =>
    route.fulfill({
      status: 403,
      json: {
        ok: false,
        code: 'WRONG_PASSWORD',
        message: 'This password is wrong. 2 tries left before a 5 minute wait.',
      },
    }),
  )
  await page.goto('/admin-dashboard/settings/email')
  await page.getByRole('button', { name: 'Create address' }).press('Enter')
  await confirm(page)
  const alert = stepUp(page).getByRole('alert').filter({ hasText: 'is wrong' })
  await expect(alert.getByText('This password is wrong', { exact: true })).toBeVisible()
  await expect(alert).toContainText('2 tries left before a 5 minute wait.')
  await expect(stepUp(page).getByLabel('Password')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.unroute('**/api/admin/confirm-password')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(/\/calendar\//)
})
