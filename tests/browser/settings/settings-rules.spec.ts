import {
  adminLogin,
  endSessionAt,
  expect,
  expectAccessible,
  htmlOf,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

/** SQL that restores the booking rules of a new shop and deletes the history of the settings. */
const defaultRules = `
  update booking_rules set notice_minutes = 120, booking_window_days = 30, slot_interval_minutes = 30,
    change_cutoff_minutes = 120, cancel_cutoff_minutes = 120, notify_shop_of_changes = false, reminder_time = '17:00',
    online_booking_paused = false, pause_message = '';
  alter table settings_history disable trigger prevent_history_change;
  delete from settings_history;
  alter table settings_history enable trigger prevent_history_change`

const openRules = async (page: Page) => {
  await page.goto('/admin-dashboard/settings/rules')
  await expect(page.getByLabel('Notice')).toBeVisible()
}
const notSaved = (page: Page) => page.getByText('Not saved:').locator('..')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const noticeOf = async (shop: {
  database: { query: (sql: string) => Promise<{ rows: unknown[] }> }
}) =>
  (await shop.database.query('select notice_minutes, booking_window_days from booking_rules'))
    .rows[0]

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(defaultRules)
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  await shop.database.query(defaultRules)
  // Waits until the server has rendered the booking page without a pause, so that no later test sees the pause.
  await expect.poll(() => htmlOf(page, '/book-appointment')).not.toContain('"isPaused":true')
})

test('The button with the gear opens the settings, and each section has its own URL @phone', async ({
  page,
}) => {
  await page.goto('/admin-dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('tab', { selected: true })).toHaveCount(0)
  await openRules(page)
  await expect(page).toHaveTitle(/^Settings, Booking rules \|/)
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await expect(page).not.toHaveTitle(/Settings/)
  await page.goBack()
  await expect(page.getByLabel('Notice')).toBeVisible()
})

test('A booking rule is shown as a sentence, is saved, and applies to the website', async ({
  page,
  shop,
}) => {
  await openRules(page)
  await page.getByLabel('Notice').selectOption('3 hours')
  await expect(notSaved(page)).toContainText(
    'At least 3 hours before the appointment (was 2 hours)',
  )
  await expect(page.getByRole('complementary', { name: 'What customers see' })).toContainText(
    'We require at least 3 hours notice for new bookings.',
  )
  await expectAccessible(page)
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  await expect(save(page)).toBeHidden()
  await expect(page.getByRole('region', { name: 'New bookings' })).toBeFocused()
  expect(await noticeOf(shop)).toEqual({ notice_minutes: 180, booking_window_days: 30 })

  await page.getByText('History', { exact: true }).click()
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(changes.first()).toContainText('admin')
  await expect(changes.first()).toContainText('Notice: 2 hours → 3 hours')
  await expectAccessible(page)
})

test('A pause of online booking requires a message', async ({ page, shop }) => {
  await openRules(page)
  await page.getByRole('switch', { name: 'Pause online booking' }).check()
  await save(page).click()
  const sentence = page.getByLabel('Message to visitors while paused')
  await expect(sentence).toBeFocused()
  await expect(sentence).toHaveAccessibleDescription(/Enter a message for visitors/)
  await sentence.fill('We move to a larger shop. Call us until Monday.')
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  const { rows } = await shop.database.query('select online_booking_paused from booking_rules')
  expect(rows).toEqual([{ online_booking_paused: true }])
  await expect.poll(() => htmlOf(page, '/book-appointment')).toContain('"isPaused":true')
})

test('Unsaved input asks for confirmation before a tab change, Back, Logout and closing the window', async ({
  page,
}) => {
  await page.goto('/admin-dashboard/tasks')
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible()
  const picker = page.getByLabel('Section')
  if (await picker.isVisible()) await picker.selectOption('Booking rules')
  else await page.getByRole('link', { name: 'Booking rules' }).click()
  await page.getByLabel('Booking window').selectOption('60 days')
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  const stay = async () => {
    await expect(question).toContainText('Up to 60 days ahead (was 30 days)')
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(question).toBeHidden()
    await expect(page.getByLabel('Booking window')).toHaveValue('60')
    await expect(page).toHaveURL(/settings\/rules$/)
  }
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await expectAccessible(page, 'dialog[open]')
  await stay()
  await page.goBack()
  await stay()
  await page.getByRole('button', { name: 'Logout' }).click()
  await stay()
  // The browser shows its own dialog. The test chooses to stay on the page.
  const dialog = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  await (await dialog).dismiss()
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('button', { name: 'Create Invoice' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Booking window')).toHaveValue('30')
  await expect(save(page)).toBeHidden()
})

test('A concurrent change of the booking rules is shown before it is overwritten', async ({
  page,
  shop,
  context,
}) => {
  await openRules(page)
  await page.getByLabel('Booking window').selectOption('60 days')
  const other = await context.newPage()
  await openRules(other)
  await other.getByLabel('Notice').selectOption('3 hours')
  await save(other).click()
  await expect(notification(other)).toContainText('Saved')

  await save(page).click()
  const notice = page.getByRole('alert').filter({ hasText: /^admin changed this/ })
  await expect(notice).toBeVisible()
  expect(await noticeOf(shop)).toEqual({ notice_minutes: 180, booking_window_days: 30 })
  await notice.getByText('Show the changes').click()
  await expect(notice).toContainText('Notice: 2 hours → 3 hours')
  await expectAccessible(page)
  await expect(page.getByLabel('Booking window')).toHaveValue('60')
  await expect(page.getByLabel('Notice')).toHaveValue('180')
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  expect(await noticeOf(shop)).toEqual({ notice_minutes: 180, booking_window_days: 60 })
  await expect(notice).toBeHidden()
})

test('A booking rule that two windows changed keeps the typed value unless the user chooses the other value', async ({
  page,
  shop,
}) => {
  await openRules(page)
  await page.getByLabel('Notice').selectOption('4 hours')
  await page.getByLabel('Booking window').selectOption('60 days')
  await shop.database.query('update booking_rules set notice_minutes = 180')
  // The test presses the button with a key, because a live event may show the conflict first and move the button.
  await save(page).press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: /^system changed this/ })
  await expect(notice).toContainText('You both changed: At least 4 hours before')
  await expect(page.getByLabel('Notice')).toHaveValue('240')
  await notice.getByRole('button', { name: /^Use theirs/ }).press('Enter')
  await expect(page.getByLabel('Notice')).toHaveValue('180')
  await save(page).press('Enter')
  await expect(notification(page)).toContainText('Saved')
  expect(await noticeOf(shop)).toEqual({ notice_minutes: 180, booking_window_days: 60 })
})

test('Input in the settings survives a server error, a reload, and a lost connection', async ({
  page,
  shop,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openRules(page)
  await page.getByLabel('Step').selectOption('1 hour')
  await page.route('**/rest/v1/booking_rules*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } })
      : route.fallback(),
  )
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Your changes are still here')
  await page.unroute('**/rest/v1/booking_rules*')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByLabel('Step')).toHaveValue('60')
  await expect(notSaved(page)).toContainText('An appointment can start every 1 hour')

  await context.setOffline(true)
  await expect(
    page.getByText(/^No connection\. Showing .* Nothing is saved until the connection is back\.$/),
  ).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expectAccessible(page)
  await context.setOffline(false)
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  const { rows } = await shop.database.query('select slot_interval_minutes from booking_rules')
  expect(rows).toEqual([{ slot_interval_minutes: 60 }])
})

test('Saving with an expired session shows the login, and then saves the input', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openRules(page)
  await page.getByLabel('Booking window').selectOption('90 days')
  await endSessionAt(page, shop, 'PATCH', '**/rest/v1/booking_rules*')
  await save(page).click()
  const login = page.getByRole('dialog', { name: 'Please log in again' })
  await login.getByLabel('Password').fill(adminLogin.password)
  await login.getByRole('button', { name: 'Login' }).click()
  await expect(notification(page)).toContainText('Saved')
  await expect(page.getByLabel('Booking window')).toHaveValue('90')
  expect(await noticeOf(shop)).toMatchObject({ booking_window_days: 90 })
})

test('A failed load of the settings shows an error and a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  // The test disables live events, because a live event would refetch the rules before the test acts on the old rules.
  await withoutLiveEvents(page)
  const rules = '**/rest/v1/booking_rules*'
  await page.route(rules, (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/admin-dashboard/settings/rules')
  await expect(page.getByText('These settings could not be loaded.')).toBeVisible()
  await page.unroute(rules)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Notice')).toHaveValue('120')
})
