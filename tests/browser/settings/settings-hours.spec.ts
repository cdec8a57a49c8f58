import { bookInOtherWindow, fixtureInstant } from '#tests/browser/booking/booking-steps.ts'
import {
  expect,
  expectAccessible,
  htmlOf,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/* The date of the tests is Friday, November 20, 2026. A Brake Job takes 90 minutes. */

const fresh = `
  ${truncateTables('public.bookings')};
  delete from public.special_hours;
  delete from public.bays where name <> 'Bay 1';
  insert into public.opening_hours values
    (0, 510, 1260), (1, 660, 1140), (2, 660, 1140), (3, 660, 1140), (4, 510, 1260), (5, 510, 1260), (6, 510, 1260)
  on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute`

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(fresh)
  await shop.setClock(fixtureInstant)
  await page.clock.setFixedTime(new Date(fixtureInstant))
  await signIn(page)
  await page.goto('/admin-dashboard/settings/hours')
  await expect(page.getByRole('heading', { name: 'Opening hours' }).first()).toBeVisible()
})
test.afterEach(async ({ shop, page }) => {
  await shop.setClock(undefined)
  await shop.database.query(fresh)
  // Waits until the server has rendered the home page with the initial hours, so that later tests start with them.
  await expect
    .poll(() => htmlOf(page, '/'))
    .toMatch(/Mon–Wed: 11:00 AM – 7:00 PM[^]*Thu–Sun: 8:30 AM – 9:00 PM/)
  await expect.poll(() => htmlOf(page, '/')).not.toMatch(/(Closed|Open) [A-Z][a-z]+day, /)
})

async function expectSectionAccessible(page: Page): Promise<void> {
  await expectAccessible(page)
}
/**
 * Waits for the result of the conflict check. The test must not save earlier, because the server refuses a check that
 * arrives after the save.
 */
const expectNoConflicts = (page: Page) =>
  expect(page.getByText('No appointment would be outside your hours.')).toBeVisible()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const closures = (page: Page) => page.getByRole('list', { name: 'Closures' }).getByRole('listitem')
const customers = (page: Page) => page.getByRole('complementary', { name: 'What customers see' })

test('the weekly hours are entered, copied to other days and applied to the website @phone', async ({
  page,
  shop,
}) => {
  await page.getByRole('switch', { name: 'Sunday open' }).uncheck()
  await page.getByLabel('Monday from', { exact: true }).selectOption('8:00 AM')
  await page.getByRole('button', { name: 'Copy Monday to other days' }).click()
  await page.getByRole('dialog').getByLabel('Tuesday').check()
  await page.getByRole('dialog').getByLabel('Wednesday').check()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByText('Not saved:').locator('..')).toContainText(
    /Monday, Tuesday, Wednesday, Sunday|Sunday, Monday, Tuesday, Wednesday/,
  )
  await expect(customers(page)).toContainText('Mon–Wed: 8:00 AM – 7:00 PM')
  await expect(customers(page)).toContainText('Sun: Closed')
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  await expect.poll(() => htmlOf(page, '/')).toContain('Mon–Wed: 8:00 AM – 7:00 PM')
  const { rows } = await shop.database.query(
    'select weekday from public.opening_hours order by weekday',
  )
  expect(rows.map(({ weekday }) => weekday)).toEqual([1, 2, 3, 4, 5, 6])
  await page.getByText('History', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('admin')
})

test('hours that end before they start are refused; bookings outside the new hours are listed before the save and marked after it', async ({
  page,
  shop,
}) => {
  const friday = page.getByLabel('Friday to', { exact: true })
  await friday.selectOption('8:00 AM')
  await save(page).click()
  await expect(friday).toHaveAccessibleDescription('The end is before the start.')
  await expect(friday).toBeFocused()
  await friday.selectOption('9:00 PM')
  await bookInOtherWindow(shop, '2026-11-28', '18:30')
  await page.getByLabel('Saturday to', { exact: true }).selectOption('6:00 PM')
  await save(page).click()
  const question = page.getByRole('dialog', { name: '1 appointment would be outside your hours' })
  await expect(question).toContainText('Robin, Saturday, November 28, 6:30 PM, Brake Job')
  await expectAccessible(page, 'dialog')
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Saturday to', { exact: true })).toHaveValue('1080')
  await save(page).click()
  await question.getByRole('button', { name: 'Save anyway' }).click()
  await expect(notification(page)).toContainText('Saved')
  await page.getByRole('listitem').filter({ hasText: 'Saturday' }).getByRole('link').click()
  const notice = page.getByRole('region', {
    name: '1 appointment is outside your hours or has no bay',
  })
  await expect(notice).toContainText('Outside business hours')
  await expect(page.getByRole('article')).toContainText('Outside business hours')
  await expectAccessible(page, 'main')
  await notice.getByRole('link', { name: 'Move… the appointment of Robin' }).click()
  await expect(page.getByRole('dialog', { name: 'Robin' })).toBeVisible()
  await page.goBack()
  await notice.getByRole('button', { name: 'Keep as is' }).click()
  await expect(notification(page)).toContainText('Kept as is')
  await expect(notice).toHaveCount(0)
  await expect(page.getByRole('article')).not.toContainText('Outside business hours')
})

test('one press closes the shop on a holiday, and another press opens the shop again', async ({
  page,
  shop,
}) => {
  await bookInOtherWindow(shop, '2026-11-26', '10:30')
  const thanksgiving = page.getByRole('button', { name: /^Thanksgiving Day Thu, Nov 26$/ })
  await thanksgiving.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).click()
  await expect(thanksgiving).toHaveAttribute('aria-pressed', 'true')
  await expect(closures(page)).toHaveText(
    /Thu, Nov 26.*All day.*Thanksgiving Day.*1 appointment.*Whole shop/,
  )
  await expect(customers(page)).toContainText('Closed Thursday, November 26: Thanksgiving Day')
  await expect
    .poll(() => htmlOf(page, '/'))
    .toContain('Closed Thursday, November 26: Thanksgiving Day')
  await expectSectionAccessible(page)
  await thanksgiving.click()
  await expect(thanksgiving).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByText('No upcoming closures.')).toBeVisible()
})

test('a closure is added, changed and removed, including a closure of one bay', async ({
  page,
  shop,
}) => {
  await bookInOtherWindow(shop, '2026-12-29', '12:00')
  await page.getByLabel('From', { exact: true }).fill('2026-12-28')
  await page.getByLabel('To', { exact: true }).fill('2026-12-27')
  await page.getByLabel('Reason', { exact: true }).fill('Inventory')
  await page.getByRole('button', { name: 'Add closure' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(
    'The end is before the start.',
  )
  await page.getByLabel('To', { exact: true }).fill('2026-12-31')
  await expect(page.getByText('1 appointment would be outside your hours.')).toBeVisible()
  await page.getByRole('button', { name: 'Add closure' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).click()
  await expect(notification(page)).toContainText('Closure added')
  await expect(closures(page)).toHaveText(/Mon, Dec 28 – 31.*All day.*Inventory/)
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('')

  await page.getByRole('button', { name: 'Change closure Inventory, Mon, Dec 28 – 31' }).click()
  await page.getByLabel('All day').uncheck()
  await page.getByLabel('What is closed').selectOption('Bay 1')
  await page.getByLabel('From, time').selectOption('9:00 AM')
  await page.getByLabel('To', { exact: true }).fill('2026-12-28')
  await page.getByLabel('To, time').selectOption('12:00 PM')
  await expectNoConflicts(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(closures(page)).toHaveText(/Mon, Dec 28.*9:00 AM – 12:00 PM.*Inventory.*Bay 1/)

  await page.getByRole('button', { name: 'Remove closure Inventory, Mon, Dec 28' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No upcoming closures.')).toBeVisible()
})

test('special hours open the shop on a weekday that is otherwise closed', async ({
  page,
  shop,
}) => {
  await shop.database.query('delete from public.opening_hours where weekday = 0')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByLabel('From', { exact: true }).fill('2026-11-29')
  await page.getByLabel('From, time').selectOption('10:00 AM')
  await page.getByLabel('To, time').selectOption('2:00 PM')
  await expectNoConflicts(page)
  await page.getByRole('button', { name: 'Add opening' }).click()
  await expect(closures(page)).toHaveText(/Sun, Nov 29.*Open 10:00 AM – 2:00 PM/)
  await expect
    .poll(() => htmlOf(page, '/'))
    .toContain('Open Sunday, November 29: 10:00 AM – 2:00 PM')
})

test.describe('failed saves', () => {
  test.use({ expectedConsoleErrors: [/rest\/v1\/rpc/] })

  test('the form of a closure keeps its input after a failed save, and another press of the button tries again', async ({
    page,
    shop,
  }) => {
    // The test disables live events, so that this page does not notice the other window's closure before the second
    // attempt.
    await withoutLiveEvents(page)
    await page.reload()
    await page.getByLabel('From', { exact: true }).fill('2026-12-24')
    await page.getByLabel('Reason', { exact: true }).fill('Family day')
    await page.route('**/rpc/save_special_hours*', (route) => route.abort())
    await page.getByRole('button', { name: 'Add closure' }).click()
    await expect(page.getByRole('alert').first()).toContainText('Your changes are still here')
    await page.unroute('**/rpc/save_special_hours*')
    // The page enables the button again after it has refetched the list of closures.
    await expect(page.getByRole('button', { name: 'Add closure' })).toBeEnabled()
    // Another window saves a closure first. This page then shows the changed list, and its second attempt succeeds.
    await shop.database.query(
      `insert into public.special_hours (starts_at, ends_at, reason) values ('2026-12-26', '2026-12-27', 'Other window')`,
    )
    const refused = page.waitForResponse(/rpc\/save_special_hours/)
    await page.getByRole('button', { name: 'Add closure' }).press('Enter')
    await refused
    await expect(closures(page).last()).toContainText('Other window')
    await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Family day')
    await page.getByRole('button', { name: 'Add closure' }).click()
    await expect(closures(page).first()).toContainText('Family day')
  })

  test('the form of the weekly hours shows the conflict with a concurrent change, and keeps its input', async ({
    page,
    shop,
  }) => {
    await page.getByLabel('Monday from', { exact: true }).selectOption('8:00 AM')
    await shop.database.query(
      'update public.opening_hours set closes_minute = 1080 where weekday = 2',
    )
    // The test presses the button with a key, because a live event may show the conflict first and move the button. The
    // message about the conflict gets the focus.
    await save(page).press('Enter')
    await expect(page.locator(':focus').getByRole('alert')).toContainText('changed this')
    await expect(page.getByLabel('Monday from', { exact: true })).toHaveValue('480')
    await expect(page.getByLabel('Tuesday to', { exact: true })).toHaveValue('1080')
    await save(page).click()
    await expect(notification(page)).toContainText('Saved')
    const { rows } = await shop.database.query(
      'select opens_minute, closes_minute from public.opening_hours where weekday in (1, 2) order by weekday',
    )
    expect(rows).toEqual([
      { opens_minute: 480, closes_minute: 1140 },
      { opens_minute: 660, closes_minute: 1080 },
    ])
  })
})
