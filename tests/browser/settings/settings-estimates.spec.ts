import {
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const fresh = `
  update estimate_rules set labor_rate_cents = 14500, good_for_days = 14, registration_number = '', epa_number = '',
    conditions = '';
  delete from tax_rates where effective_from <> '2026-01-01';
  delete from canned_jobs;
  insert into canned_jobs (title, job) values
    ('Front brakes', '{"title": "Front brakes", "customerDescription": "", "isNeeded": true, "measurement": null, "lines": []}'),
    ('Oil change', '{"title": "Oil change", "customerDescription": "", "isNeeded": true, "measurement": null, "lines": []}');
  alter table settings_history disable trigger prevent_history_change;
  delete from settings_history;
  alter table settings_history enable trigger prevent_history_change`

const openSection = async (page: Page) => {
  await page.goto('/admin-dashboard/settings/estimates')
  await expect(page.getByLabel('Labor rate per hour')).toHaveValue('145.00')
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const rates = (page: Page) => page.getByRole('list', { name: 'Tax rates' }).getByRole('listitem')
const cannedJobs = (page: Page) =>
  page.getByRole('list', { name: 'Canned jobs' }).getByRole('listitem')

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(fresh)
  await signIn(page)
})
test.afterEach(({ shop }) => shop.database.query(fresh))

test('Labor rate, validity and printed texts of estimates are saved, and invalid values show an error', async ({
  page,
}) => {
  await openSection(page)
  await expectAccessible(page)
  await page.getByLabel('Labor rate per hour').fill('164.955')
  await page.getByLabel('Good for (days)').fill('0')
  await page.getByLabel('BAR registration number').fill('ARD 00123456')
  await save(page).click()
  await expect(page.getByLabel('Labor rate per hour')).toBeFocused()
  await expect(page.getByLabel('Labor rate per hour')).toHaveAccessibleDescription(
    /dollars and cents/,
  )
  await expect(page.getByLabel('Good for (days)')).toHaveAccessibleDescription(/1 to 365/)
  await page.getByLabel('Labor rate per hour').fill('164.95')
  await page.getByLabel('Good for (days)').fill('30')
  await page.getByLabel('Conditions').fill('Warranty: 12 months.')
  const preview = page.getByRole('complementary', { name: 'What customers see' })
  await expect(preview).toContainText('Automotive Repair Dealer ARD 00123456')
  await expect(preview).toContainText('$164.95')
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  await expect(save(page)).toBeHidden()
  await page.getByText('History', { exact: true }).click()
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(changes.first()).toContainText('Labor rate: $145.00 → $164.95')
})

test('A tax rate is added for a future date, a second rate for the same date is refused, and a removal needs a confirmation', async ({
  page,
  expectedConsoleErrors,
}) => {
  // The server refuses a second tax rate that starts on the same day.
  expectedConsoleErrors.push(/status of 409/)
  await openSection(page)
  await expect(rates(page)).toHaveText(['9.125%from January 1, 2026, now'])
  const form = page.getByRole('form', { name: 'Add a tax rate' })
  await form.getByLabel('Rate in percent').fill('31')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByLabel('Rate in percent')).toHaveAccessibleDescription(/at most 30/)
  await expect(form.getByLabel('From')).toHaveAccessibleDescription('Please enter the first day.')
  await form.getByLabel('Rate in percent').fill('9.25')
  await form.getByLabel('From').fill('2099-01-01')
  await form.getByLabel('From').press('Enter')
  await expect(rates(page).first()).toHaveText('9.25%from January 1, 2099, to come')
  await expect(form.getByLabel('Rate in percent')).toHaveValue('')
  await form.getByLabel('Rate in percent').fill('9')
  await form.getByLabel('From').fill('2099-01-01')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByLabel('From')).toHaveAccessibleDescription(/already/)
  await page.getByRole('button', { name: 'Remove 9.25% from January 1, 2099' }).click()
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText(
    '9.25% from January 1, 2099.',
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(rates(page)).toHaveCount(1)
})

test('A canned job is renamed by keyboard and removed after a confirmation', async ({
  page,
  expectedConsoleErrors,
}) => {
  // The server refuses a name that another canned job already has.
  expectedConsoleErrors.push(/status of 409/)
  await openSection(page)
  await page.getByRole('button', { name: 'Rename Oil change' }).press('Enter')
  const name = cannedJobs(page).getByLabel('Name')
  await expect(name).toBeFocused()
  await name.fill('Front brakes')
  await name.press('Enter')
  await expect(name).toHaveAccessibleDescription('Another canned job has this name.')
  await name.fill('Oil change, synthetic')
  await name.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Oil change, synthetic' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove Front brakes' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(cannedJobs(page)).toHaveText([/^Oil change, synthetic/])
})
