import {
  addEstimate,
  clearEstimates,
  resetEstimates,
  openEstimate,
  saved,
} from './estimate-records.ts'
import {
  badNotification,
  expect,
  expectAccessible,
  notification,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

const jobs = [
  { title: 'Front brakes', cents: 35_669 },
  { title: 'Cabin air filter', cents: 5_568, isNeeded: false },
  { title: 'Coolant flush', cents: 16_980, isNeeded: false },
] as const

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(({ shop, page }) => resetEstimates(shop, page))

test('staff record an approval by phone, and the approved jobs become tasks', async ({
  page,
  shop,
}) => {
  await openEstimate(page, await addEstimate(shop, { jobs }))
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record an approval' })
  await expect(dialog.getByLabel('Number')).toHaveValue('(650) 555-0167')
  for (const { title } of jobs) {
    await expect(dialog.getByLabel(title).locator('option:checked')).toHaveText('Not asked')
  }
  await expectAccessible(page, 'dialog')
  await dialog.getByLabel('Front brakes').selectOption('Approved')
  await dialog.getByLabel('Cabin air filter').selectOption('Approved')
  await dialog.getByLabel('Coolant flush').selectOption('Declined')
  await dialog.getByLabel('What was said (optional)').fill('Go ahead with both')
  await dialog.getByLabel('Customer wants the replaced parts back').check()
  await dialog.getByRole('button', { name: 'Record $412.37' }).click()
  await expect(notification(page)).toContainText('Recorded')
  await expect(page.getByText('Approved, 2 of 3 jobs')).toBeVisible()
  const authorizations = page.getByRole('region', { name: 'Authorizations' })
  await expect(authorizations).toContainText('Approved by Maria Delgado by phone (650) 555-0167')
  await expect(authorizations).toContainText('Authorized total $412.37')
  await expect(authorizations).toBeFocused()
  await expect(page.getByRole('region', { name: 'Coolant flush' })).toContainText(
    /Declined by Maria Delgado by phone.*recorded by admin/,
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create 2 tasks' }).click()
  await expect(notification(page)).toContainText('2 tasks created.')
  await expect(page.getByRole('button', { name: /^Create \d+ task/ })).toHaveCount(0)
  await page.getByRole('complementary').getByRole('link', { name: 'Front brakes' }).first().click()
  const task = page.getByRole('article', { name: 'Front brakes' })
  await expect(task).toBeFocused()
  await expect(task).toContainText('Customer wants the replaced parts')
})

test('work that staff add after the approval becomes the next revision and needs a new approval', async ({
  page,
  shop,
}) => {
  await openEstimate(page, await addEstimate(shop, { jobs: jobs.slice(0, 1) }))
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record an approval' })
  await dialog.getByLabel('Front brakes').selectOption('Approved')
  await dialog.getByRole('button', { name: 'Record $356.69' }).click()
  await page.getByRole('button', { name: 'Add work approved by phone' }).click()
  await expect(page.getByRole('combobox', { name: 'Add a job' })).toBeFocused()
  await page.getByLabel('Rate per hour').fill('400')
  await expect(page.getByText('You changed a sent estimate. Send it again?')).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await page.getByRole('combobox', { name: 'Add a job' }).fill('Caliper slide pins')
  await page.keyboard.press('Enter')
  await page.getByLabel('Description').last().fill('Replace slide pins')
  await page.getByLabel('Hours').last().fill('0.4')
  await expect(saved(page)).toBeVisible()
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  await dialog.getByLabel('Caliper slide pins').selectOption('Approved')
  await dialog.getByRole('button', { name: 'Record $58.00' }).click()
  const authorizations = page.getByRole('region', { name: 'Authorizations' })
  await expect(authorizations).toContainText('Added work by phone (650) 555-0167')
  await expect(authorizations).toContainText('Authorized total $414.69')
  await expect(page.getByRole('region', { name: 'Front brakes' })).toContainText(
    'Approved up to $356.69. This is $43.31 more. Get a new approval first.',
  )
  await page.getByRole('button', { name: 'Record an approval' }).click()
  const approved = dialog.getByLabel('Caliper slide pins')
  await expect(approved.locator('option')).toHaveText(['Already approved', 'Withdrawn'])
  await approved.selectOption('Withdrawn')
  await dialog.getByLabel('How').selectOption('In person')
  await expect(dialog.getByLabel('Number')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(authorizations).toContainText('Withdrawn by Maria Delgado in person')
  await expect(authorizations).toContainText('Authorized total $356.69')
})

test('an approval by phone needs the jobs, the name, the phone number and the time', async ({
  page,
  shop,
}) => {
  await openEstimate(page, await addEstimate(shop, { jobs: jobs.slice(0, 1) }))
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record an approval' })
  const record = dialog.getByRole('button', { name: /^Record/ })
  const isMissing = async (what: string) => {
    await expect(dialog.getByText('Still needed:')).toHaveText(`Still needed: ${what}.`)
    await expect(record).toBeDisabled()
  }
  await isMissing('a decision about a job')
  await dialog.getByLabel('Front brakes').selectOption('Approved')
  await dialog.getByLabel('How').selectOption('Choose…')
  await isMissing('how the customer answered')
  await dialog.getByLabel('How').selectOption('Phone')
  await dialog.getByLabel('Number').fill(' ')
  await isMissing('the number')
  await dialog.getByLabel('Number').fill('(650) 555-0167')
  await dialog.getByLabel('Who decided').fill('')
  await isMissing('who decided')
  await dialog.getByLabel('Who decided').fill('Ana Delgado')
  for (const field of [
    'Number',
    'Who decided',
    'Relationship to the customer (optional)',
    'Time',
  ]) {
    await dialog.getByLabel(field).press('Enter')
  }
  await dialog.getByLabel('Day').fill('2199-01-01')
  await record.click()
  await expect(dialog.getByLabel('Day')).toHaveAccessibleDescription(
    'Enter a day and time in the past.',
  )
  await expectAccessible(page, 'dialog')
  expect((await shop.database.query('select from authorizations')).rowCount).toBe(0)
})

test('an approval of a job that the customer declined by phone needs a second confirmation', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { jobs })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record an approval' })
  await dialog.getByLabel('Coolant flush').selectOption('Declined')
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  const authorizations = page.getByRole('region', { name: 'Authorizations' })
  await expect(authorizations).toContainText('Declined by Maria Delgado')
  await page.getByRole('button', { name: 'Record an approval' }).click()
  await expect(dialog.getByLabel('Coolant flush')).toHaveValue('')
  await dialog.getByLabel('Coolant flush').selectOption('Approved')
  await dialog.getByLabel('How').selectOption('In person')
  await dialog.getByRole('button', { name: 'Record $169.80' }).click()
  const question = page.getByRole('dialog', { name: 'Record an approval of a declined job?' })
  await expect(question).toContainText(
    /Coolant flush\s*Declined by Maria Delgado by phone.*[AP]M\./,
  )
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Record $169.80' }).click()
  await question.getByRole('button', { name: 'Record the approval' }).click()
  await expect(authorizations).toContainText('Authorized total $169.80')
  await expect(page.getByText('Approved, 1 of 3 jobs')).toBeVisible()
  await expect(page.getByRole('list', { name: 'State' })).toContainText(/Approved.*1 of 3, /)
  await page.goto('/admin-dashboard/invoices')
  const entry = page.getByRole('listitem').filter({ hasText: /E-\d+\s*Maria Delgado/ })
  await expect(entry).toContainText('$169.80 of $582.17')
})

test.describe('a version conflict of an estimate', () => {
  test.use({ expectedConsoleErrors: [/commands\/record-authorization/] })

  test('an approval by phone is refused when another user has changed the estimate, and succeeds at the next press', async ({
    page,
    shop,
  }) => {
    const id = await addEstimate(shop, { jobs: jobs.slice(0, 1) })
    await withoutLiveEvents(page)
    await openEstimate(page, id)
    await page.getByRole('button', { name: 'Record phone approval' }).click()
    await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
    await shop.database.query('update estimates set version = version + 1 where id = $1', [id])
    await page.getByRole('button', { name: 'Record $356.69' }).click()
    await expect(badNotification(page)).toContainText('Someone else changed this estimate')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('button', { name: 'Record $356.69' }).click()
    await expect(notification(page)).toContainText('Recorded')
  })
})

test('the list of estimates finds estimates by name and by state', async ({ page, shop }) => {
  const id = await addEstimate(shop, { customer: 'Robin Vale', jobs })
  await addEstimate(shop, { customer: 'Maria Delgado', jobs: jobs.slice(0, 1) })
  await page.goto('/admin-dashboard/invoices')
  const list = page.getByRole('region', { name: 'Estimates' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await list.getByLabel('Search estimates').fill('robin')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('listitem')).toContainText('Robin Vale 2019 Subaru OutbackDraft')
  await list.getByLabel('State of estimates').selectOption('Approved')
  await expect(list.getByText('No estimate matches the search or filter.')).toBeVisible()
  await list.getByLabel('State of estimates').selectOption('All states')
  await list.getByRole('link', { name: /^E-/ }).click()
  await expect(page).toHaveURL(new RegExp(id))
  await page.getByRole('link', { name: 'Estimates' }).click()
  await expect(list).toBeVisible()
})

test.describe('failed loads', () => {
  test.use({ expectedConsoleErrors: [/rpc\/read_(estimate|deposit)/] })

  test('the URL of a deleted estimate shows that the estimate was deleted', async ({ page }) => {
    await page.goto('/admin-dashboard/estimates/00000000-0000-4000-8000-000000000000')
    await expect(page.getByText('This estimate is no longer here.')).toBeVisible()
    await page.goto('/admin-dashboard/estimates/nonsense')
    await page.getByRole('link', { name: 'All estimates' }).click()
    await expect(page.getByRole('region', { name: 'Estimates' })).toBeVisible()
  })

  test('a failed load of an estimate shows an error and a retry button', async ({ page, shop }) => {
    const id = await addEstimate(shop, { jobs })
    // The test disables live events, because a live event would refetch the estimate before the test clicks.
    await withoutLiveEvents(page)
    await page.route('**/rpc/read_estimate', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.goto(`/admin-dashboard/estimates/${id}`)
    await expect(page.getByText('The estimate could not be loaded.')).toBeVisible()
    await page.unroute('**/rpc/read_estimate')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: /^Estimate E-/ })).toBeVisible()
  })
})
