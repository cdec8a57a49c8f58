import {
  addDayBooking,
  emptyDay,
  fillDay,
  resetDay,
  fixtureDay,
  setPageClock,
} from './day-records.ts'
import {
  badNotification,
  expect,
  expectAccessible,
  messageInOutbox,
  type Locator,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { desktopSize, phoneSize } from '#tests/browser/viewports.ts'

const openDay = (page: Page, date = fixtureDay) => page.goto(`/admin-dashboard/day/${date}`)

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768
/** Returns the column of a bay on a wide screen. A phone shows all bays in one list instead. */
const column = (page: Page, bay: string) =>
  page.getByRole('list', { name: isPhone(page) ? 'Appointments' : bay, exact: true })

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await setPageClock(page)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

test('The day view shows each booking in its bay with its state @phone', async ({ page, shop }) => {
  await fillDay(shop)
  await openDay(page)
  for (const [bay, name, state] of [
    ['Bay 1', 'Ken Morimoto', 'In work'],
    ['Bay 1', 'Maria Delgado', 'Booked'],
    ['Bay 2', 'June Albright', 'Booked'],
    ['Rack', 'Renee Dupont', 'Arrived'],
  ] as const) {
    const bookingBlock = column(page, bay).getByRole('listitem').filter({ hasText: name })
    await expect(bookingBlock).toContainText(state)
    await expect(bookingBlock).toContainText('2019 Subaru Outback')
    if (isPhone(page)) await expect(bookingBlock).toContainText(bay)
  }
  await expect(column(page, 'Bay 1')).toContainText('“Grinding from the front left when cold.”')
  await expect(column(page, 'No bay')).toContainText('Sam Okafor')
  await expect(page.getByText('12:40 PM', { exact: true })).toBeVisible()
  await expect(page.getByText('Closed 2–3 PM: staff meeting')).toBeVisible()
  await expectAccessible(page)
})

test('The T key, the button Today and the arrow that leads to today scroll to the current time, unless an appointment is open', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await shop.setClock('2026-11-24T18:30:00-08:00')
  await page.clock.setFixedTime(new Date('2026-11-24T18:30:00-08:00'))
  await addDayBooking(shop, { bay: 'Bay 1', time: '11:00', minutes: 60, name: 'Maria Delgado' })
  const now = page.locator('.day-now')
  const scrollToTop = async () => {
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(now).not.toBeInViewport()
  }
  await openDay(page, '2026-11-23')
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(now).toBeInViewport()
  await scrollToTop()
  await page.keyboard.press('t')
  await expect(now).toBeInViewport()
  await scrollToTop()
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await expect(now).toBeInViewport()
  await scrollToTop()
  await column(page, 'Bay 1')
    .getByRole('button', { name: /Maria Delgado/ })
    .click()
  await expect(panel(page, 'Maria Delgado')).toBeVisible()
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await expect(panel(page, 'Maria Delgado')).toBeHidden()
  await expect(now).not.toBeInViewport()
})

test('An appointment that a link opens is scrolled into view, and the title of its panel has the focus', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '18:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${id}`)
  const opened = panel(page, 'Maria Delgado')
  await expect(opened.getByRole('heading').locator(':focus')).toHaveText('Maria Delgado')
  const block = column(page, 'Bay 1').getByRole('button', { name: /Maria Delgado/ })
  await expect(block).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(block).toBeFocused()
})

test('The first visit of the dashboard opens the calendar, and a later visit opens the view that was used last', async ({
  page,
}) => {
  await page.goto('/admin-dashboard')
  const view = page.getByRole('group', { name: 'View' })
  const day = view.getByRole('button', { name: 'Day', exact: true })
  await expect(view.getByRole('button', { name: 'Calendar' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await day.click()
  await page.goto('/admin-dashboard')
  await expect(day).toHaveAttribute('aria-pressed', 'true')
})

test('A day without bookings, a closed day and a failed load of a day each show a message', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  // The test disables live events, because a live event would refetch the day before the test acts on the old data.
  await withoutLiveEvents(page)
  await openDay(page)
  await expect(page.getByText('No appointments.')).toBeVisible()

  await shop.database.query(
    `insert into special_hours (starts_at, ends_at, reason) values ('2026-11-26', '2026-11-27', 'Thanksgiving Day')`,
  )
  await openDay(page, '2026-11-26')
  await expect(page.getByText('Closed all day: Thanksgiving Day')).toBeVisible()

  expectedConsoleErrors.push(/500/)
  const reading = '**/rpc/read_day'
  await page.route(reading, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page.getByText('The day could not be loaded.')).toBeVisible()
  await page.unroute(reading)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No appointments.')).toBeVisible()
})

const panel = (page: Page, name: string) => page.getByRole('dialog', { name })

test('Staff set a booking to arrived, in work and completed, and can undo each step', async ({
  page,
  shop,
}) => {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await openDay(page)
  const bookingBlock = column(page, 'Bay 1').getByRole('button', { name: /Maria Delgado/ })
  await bookingBlock.click()
  const bookingPanel = panel(page, 'Maria Delgado')
  await expect(bookingPanel.getByText('Tuesday, November 24, 1:00 – 2:00 PM')).toBeVisible()
  await expect(bookingPanel.getByText('First appointment.')).toBeVisible()
  await expectAccessible(page)
  for (const [step, state] of [
    ['Arrived', 'Arrived'],
    ['Start work', 'In work'],
    ['Complete', 'Picked up'],
  ] as const) {
    await bookingPanel.getByRole('button', { name: step, exact: true }).click()
    await expect(bookingPanel.locator('.badge').first()).toHaveText(state)
  }
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(bookingPanel.locator('.badge').first()).toHaveText('In work')
  await expect(notification(page)).toContainText('Undone')
  const { rows } = await shop.database.query<{ kind: string }>(
    'select kind from booking_events where booking_id = $1 order by id',
    [id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual([
    'booked',
    'arrived',
    'started',
    'completed',
    'reopened',
  ])
  await page.keyboard.press('Escape')
  await expect(bookingBlock).toBeFocused()
})

test('A booking can be marked as no-show from 15 minutes after the start, and no earlier', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '12:30', minutes: 60, name: 'Luis Ortega' })
  await addDayBooking(shop, { bay: 'Bay 2', time: '12:15', minutes: 60, name: 'Renee Dupont' })
  await openDay(page)
  await column(page, 'Bay 1')
    .getByRole('button', { name: /Luis Ortega/ })
    .click()
  await expect(panel(page, 'Luis Ortega').getByRole('button', { name: 'Cancel…' })).toBeVisible()
  await expect(panel(page, 'Luis Ortega').getByRole('button', { name: 'No-show' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await column(page, 'Bay 2')
    .getByRole('button', { name: /Renee Dupont/ })
    .click()
  const bookingPanel = panel(page, 'Renee Dupont')
  await bookingPanel.getByRole('button', { name: 'No-show' }).click()
  await panel(page, 'Mark as no-show?').getByRole('button', { name: 'No-show' }).click()
  await expect(bookingPanel.locator('.badge').first()).toHaveText('No-show')
  await bookingPanel.getByRole('button', { name: 'Undo No-show' }).click()
  await expect(bookingPanel.locator('.badge').first()).toHaveText('Booked')
})

test('Staff cancel a booking with a reason, notify the customer, and find it under Cancelled @phone', async ({
  page,
  shop,
}) => {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await openDay(page)
  await column(page, 'Bay 1')
    .getByRole('button', { name: /Maria Delgado/ })
    .click()
  const bookingPanel = panel(page, 'Maria Delgado')
  const emails = bookingPanel.getByRole('group', { name: 'Cancellation' })
  const cancel = async () => {
    await bookingPanel.getByRole('button', { name: 'Cancel…' }).click()
    const question = panel(page, 'Cancel this appointment?')
    await expect(question).toContainText('Maria Delgado, Tuesday, 1:00 PM. The time becomes free.')
    return question
  }
  let question = await cancel()
  await expectAccessible(page, '.dialog-small')
  await question.getByLabel('Reason').fill('The part is late')
  await question.getByRole('checkbox', { name: /^Email the customer/ }).uncheck()
  await question.getByRole('button', { name: 'Cancel appointment' }).click()
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notification(page)).toContainText('Undone')
  await expect(emails).toHaveCount(0)
  question = await cancel()
  await expect(question.getByRole('checkbox', { name: /^Email the customer/ })).toBeChecked()
  await question.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(notification(page)).toContainText(`${messageInOutbox} Call (650) 555-0167.`)
  await notification(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(emails).toBeVisible()
  await expect(bookingPanel.getByRole('button', { name: 'Reopen' })).toBeVisible()
  // The dialog stays open until the page has refetched all changed data. Until then, the dialog would handle the Escape
  // key instead of the page.
  await expect(question).toBeHidden()
  await page.keyboard.press('Escape')
  await page.getByText('Cancelled or not confirmed (1)').click()
  await expect(page.getByRole('button', { name: /Maria Delgado.*Cancelled/ })).toBeVisible()
  const { rows } = await shop.database.query(
    `select reason from booking_events where booking_id = $1 and kind = 'cancelled' order by id`,
    [id],
  )
  expect(rows).toEqual([{ reason: 'The part is late' }, { reason: null }])
})

test('A state change from an outdated page shows who changed the booking and its current state', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/40\d|live/)
  // The test disables live events, so that this browser window does not notice the later change by another window.
  await withoutLiveEvents(page)
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await openDay(page)
  await column(page, 'Bay 1')
    .getByRole('button', { name: /Maria Delgado/ })
    .click()
  const bookingPanel = panel(page, 'Maria Delgado')
  await shop.database.query(`update bookings set status = 'in_work' where id = $1`, [id])
  await bookingPanel.getByRole('button', { name: 'Arrived', exact: true }).click()
  await expect(badNotification(page)).toContainText('This is the current status.')
  await expect(bookingPanel.locator('.badge').first()).toHaveText('In work')
})

test('Arrow keys move between bookings and days, and the T key opens today', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openDay(page)
  const bookingBlock = (bay: string, name: RegExp) =>
    column(page, bay).getByRole('button', { name })
  await bookingBlock('Bay 1', /Ken Morimoto/).focus()
  await page.keyboard.press('ArrowDown')
  await expect(bookingBlock('Bay 1', /Maria Delgado/)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(bookingBlock('Rack', /Renee Dupont/)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel(page, 'Renee Dupont')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bookingBlock('Rack', /Renee Dupont/)).toBeFocused()

  await page.getByRole('button', { name: 'Next day' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/day\/2026-11-25/)
  await page.keyboard.press('t')
  await expect(page).not.toHaveURL(/day\/2026/)
  await page.getByRole('button', { name: 'Turn keyboard shortcuts off' }).click()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/day\/2026/)
  await page.keyboard.press('t')
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/day\/2026/)
})

test('A change in another window appears in the day view without a reload', async ({
  page,
  shop,
}) => {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await openDay(page)
  const bookingBlock = column(page, 'Bay 1')
    .getByRole('listitem')
    .filter({ hasText: 'Maria Delgado' })
  await expect(bookingBlock).toContainText('Booked')
  await shop.database.query(`update bookings set status = 'arrived' where id = $1`, [id])
  await expect(bookingBlock).toContainText('Arrived')
})

test('The printed day view shows its date and bookings, and no buttons', async ({ page, shop }) => {
  await fillDay(shop)
  await openDay(page)
  await expect(column(page, 'Bay 1')).toContainText('Maria Delgado')
  await expect(page.getByRole('button', { name: / free$/ })).not.toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Tuesday, November 24, 2026' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next day' })).toBeHidden()
  await expect(page.getByRole('button', { name: / free$/ })).toHaveCount(0)
  await page.setViewportSize(phoneSize)
  await expect(page.getByRole('button', { name: / free$/ })).toHaveCount(0)
  await page.setViewportSize(desktopSize)
  await expect(column(page, 'Bay 1')).toContainText('Ken Morimoto')
  await expect(column(page, 'Bay 1')).toBeVisible()
})

test('Labels of the day view are neither covered nor clipped', async ({ page, shop }) => {
  await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '12:00',
    minutes: 120,
    name: 'Luis Ortega',
    state: 'no_show',
  })
  const edges = (locator: Locator) =>
    locator.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top, bottom }
    })
  await openDay(page)
  const missed = await edges(page.getByRole('button', { name: /Luis Ortega/ }))
  const free = await edges(column(page, 'Bay 1').getByRole('button', { name: /free/ }).first())
  expect(free.top).toBeGreaterThanOrEqual(missed.bottom)
  for (const instant of ['2026-11-24T11:00:00-08:00', '2026-11-24T19:00:00-08:00']) {
    await shop.setClock(instant)
    await page.reload()
    const label = await edges(page.locator('.day-now b'))
    const grid = await edges(page.locator('.day-grid-body'))
    expect(label.top).toBeGreaterThanOrEqual(grid.top - 1)
    expect(label.bottom).toBeLessThanOrEqual(grid.bottom + 1)
  }
})
