import { addDays, formatLongDate } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import {
  expect,
  expectAccessible,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'

const today = () => shopToday(new Date())
const tomorrow = () => addDays(today(), 1)
const robots = { flagged: ['form_token_missing'] } as const

test.beforeEach(async ({ shop, page }) => {
  await clearBookings(shop)
  await signIn(page)
})

const openList = (page: Page) => page.goto('/admin-dashboard/appointments?view=list')
const record = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select the appointment of ${name}` })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Cancel \d/ })

async function statuses(shop: Shop): Promise<Record<string, string>> {
  const { rows } = await shop.database.query<{ name: string; status: string }>(
    'select customer_name as name, status from bookings',
  )
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]))
}

test('All appointments that look automated are cancelled together, and no other appointment is cancelled', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { date: tomorrow(), time: '08:30:00', name: 'Dana Whitfield' })
  for (let nth = 0; nth < 30; nth += 1) {
    const date = addDays(today(), 2 + Math.floor(nth / 8))
    const time = `${String(9 + (nth % 8)).padStart(2, '0')}:00:00`
    await addBooking(shop, { date, time, name: `Robot ${nth}`, ...robots })
  }
  await openList(page)
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (31)' })).toBeVisible()
  await page.getByRole('button', { name: 'Select all that look automated (30)' }).click()
  await expect(page.getByText('30 selected')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel 30 appointments' }).click()
  await expect(dialog(page)).toContainText('Robot 0, Robot 1')
  await expect(dialog(page)).toContainText('and 25 more')
  await expect(dialog(page)).toContainText('All of them look automated. No email is sent.')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Cancel 30 appointments' }).click()
  await expect(page.getByText('30 appointments cancelled.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (1)' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Appointments (1)', exact: true })).toBeVisible()
  await expect(page.getByText('Cancelled or not confirmed (30)')).toBeVisible()
  await expect(record(page, 'Dana Whitfield')).toBeVisible()
})

test('Staff undo a bulk cancellation for the appointments whose time is still free', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { date: tomorrow(), time: '09:00:00', name: 'Dana Whitfield' })
  await addBooking(shop, { date: tomorrow(), time: '11:00:00', name: 'Ken Morimoto' })
  await openList(page)
  await tick(page, 'Dana Whitfield').press('Space')
  await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space')
  await expect(tick(page, 'Ken Morimoto')).toBeChecked()
  await page.getByRole('button', { name: 'Cancel 2 appointments' }).press('Enter')
  await expect(dialog(page)).toContainText('2 of them do not look automated: please call first.')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  expect(await statuses(shop)).toEqual({
    'Dana Whitfield': 'confirmed',
    'Ken Morimoto': 'confirmed',
  })
  await page.getByRole('button', { name: 'Cancel 2 appointments' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel 2 appointments' }).click()
  await expect(page.getByText('2 appointments cancelled.')).toBeVisible()
  await expectAccessible(page)
  await addBooking(shop, { date: tomorrow(), time: '11:00:00', name: 'Robin Quick' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('1 of 2 restored.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (2)' })).toBeVisible()
  expect(await statuses(shop)).toEqual({
    'Dana Whitfield': 'confirmed',
    'Ken Morimoto': 'cancelled',
    'Robin Quick': 'confirmed',
  })
})

test('A held appointment has the badge Held; staff end the hold with Keep, and confirm an appointment whose hold expired', async ({
  page,
  shop,
}) => {
  const heldUntil = new Date(Date.now() + 20 * 60_000).toISOString()
  await addBooking(shop, {
    date: tomorrow(),
    time: '09:00:00',
    name: 'Hal Held',
    heldUntil,
    ...robots,
  })
  await addBooking(shop, {
    date: tomorrow(),
    time: '11:00:00',
    name: 'Nora None',
    status: 'not_confirmed',
    ...robots,
  })
  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${tomorrow()}`)
  const day = page.getByRole('region', { name: formatLongDate(tomorrow()) })
  const held = day.getByRole('listitem').filter({ hasText: 'Hal Held' })
  await expect(held.getByText('Held', { exact: true })).toBeVisible()
  await expect(held).toContainText(/On hold until \d+:\d\d [AP]M/)
  await expect(held.getByRole('button', { name: /^(Complete|Add to Tasks)/ })).toHaveCount(2)
  await expect(day.getByRole('listitem').filter({ hasText: 'Nora None' })).toBeHidden()
  await day.getByText('Cancelled or not confirmed (1)').click()
  await expect(day.getByRole('listitem').filter({ hasText: 'Nora None' })).toContainText(
    'Not confirmed',
  )
  await expectAccessible(page)

  await openList(page)
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (1)' })).toBeVisible()
  await record(page, 'Hal Held').getByRole('button', { name: /^Keep/ }).click()
  await expect(notification(page)).toContainText('Appointment Kept')
  await expect(record(page, 'Hal Held')).not.toContainText('On hold until')
  await expect(record(page, 'Hal Held')).not.toContainText('looks automated')
  await page.getByText('Cancelled or not confirmed (1)').click()
  await record(page, 'Nora None')
    .getByRole('button', { name: /^Confirm/ })
    .click()
  await expect(notification(page)).toContainText('Appointment Confirmed')
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (2)' })).toBeVisible()
  expect(await statuses(shop)).toEqual({ 'Hal Held': 'confirmed', 'Nora None': 'confirmed' })
})

test('Confirming an appointment whose time is taken shows an error and changes nothing', async ({
  page,
  shop,
}) => {
  const slot = { date: tomorrow(), time: '11:00:00' }
  await addBooking(shop, { ...slot, name: 'Nora None', status: 'not_confirmed', ...robots })
  await addBooking(shop, { ...slot, name: 'Robin Quick' })
  await openList(page)
  await page.getByText('Cancelled or not confirmed (1)').click()
  await record(page, 'Nora None')
    .getByRole('button', { name: /^Confirm/ })
    .click()
  await expect(page.getByText('Another appointment has this time now')).toBeVisible()
  expect(await statuses(shop)).toEqual({ 'Nora None': 'not_confirmed', 'Robin Quick': 'confirmed' })
})

test('A failed cancellation changes no appointment and keeps the appointments selected', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/500/)
  await addBooking(shop, { date: tomorrow(), time: '09:00:00', name: 'Dana Whitfield' })
  await openList(page)
  await tick(page, 'Dana Whitfield').check()
  await page.route('**/api/commands/cancel-bookings', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await page.getByRole('button', { name: 'Cancel 1 appointment' }).click()
  await expect(dialog(page)).toContainText('It does not look automated: please call first.')
  await dialog(page).getByRole('button', { name: 'Cancel 1 appointment' }).click()
  await expect(
    page.getByText('The appointments were not cancelled. Please try again.'),
  ).toBeVisible()
  await expect(tick(page, 'Dana Whitfield')).toBeChecked()
  expect(await statuses(shop)).toEqual({ 'Dana Whitfield': 'confirmed' })
})

test('A booking that is flagged only by a limit on the number of bookings is neither marked as automated nor selected with automated bookings', async ({
  page,
  shop,
}) => {
  const rateFlags = ['many_open_bookings', 'many_from_one_client', 'many_at_once']
  for (const [nth, reason] of rateFlags.entries()) {
    const time = `${9 + 2 * nth}:00:00`
    await addBooking(shop, { date: tomorrow(), time, name: `Rita ${nth}`, flagged: [reason] })
  }
  await openList(page)
  await expect(record(page, 'Rita 0')).toContainText('Check: more than 5 open appointments')
  await expect(record(page, 'Rita 1')).toContainText('Check: many from one sender')
  await expect(record(page, 'Rita 2')).toContainText('Check: unusually many bookings')
  await addBooking(shop, { date: tomorrow(), time: '17:00:00', name: 'Robot 1', ...robots })
  await openList(page)
  await page.getByRole('button', { name: 'Select all that look automated (1)' }).click()
  await expect(tick(page, 'Robot 1')).toBeChecked()
  await expect(tick(page, 'Rita 2')).not.toBeChecked()
  await tick(page, 'Rita 2').check()
  await page.getByRole('button', { name: 'Cancel 2 appointments' }).click()
  await expect(dialog(page)).toContainText('1 of them does not look automated: please call first.')
})
