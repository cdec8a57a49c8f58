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
  expectAccessibleHere,
  expectUncovered,
  enableEmail,
  messageInOutbox,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

const openDay = (page: Page, date = fixtureDay) => page.goto(`/admin-dashboard/day/${date}`)

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768
/** Returns the column of a bay on a wide screen. A phone shows all bays in one list instead. */
const column = (page: Page, bay: string) =>
  page.getByRole('list', { name: isPhone(page) ? 'Appointments' : bay, exact: true })
const bookingBlock = (page: Page, bay: string, name: string) =>
  column(page, bay).getByRole('button', { name: new RegExp(name) })
const panel = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Returns the bay, time and state of a customer's appointments. */
async function slotOf(shop: Shop, name: string) {
  const { rows } = await shop.database.query<{ at: string; bay: string | null }>(
    `select (appointment_date + appointment_time)::text as at, duration_minutes as minutes,
       (select bays.name from bays where id = bay_id) as bay
     from bookings where customer_name = $1`,
    [name],
  )
  return rows[0]
}
async function historyOf(shop: Shop, name: string) {
  const { rows } = await shop.database.query<{ kind: string }>(
    `select kind from booking_events where booking_id = (select id from bookings where customer_name = $1)
     order by id`,
    [name],
  )
  return rows.map(({ kind }) => kind)
}

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await setPageClock(page)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

test('Staff move a booking to a free time of another day, notify the customer, and undo the move @phone', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openDay(page)
  await bookingBlock(page, 'Bay 1', 'Maria Delgado').click()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Move…' }).click()
  const move = panel(page, 'Move Maria Delgado')
  await expect(move.getByText('Tue, Nov 24, 1:00 PM')).toBeVisible()
  await expect(move.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
  await move.getByRole('button', { name: /^Friday, November 27, \d+ free/ }).click()
  await move.getByRole('region', { name: 'Bay 2' }).getByRole('button', { name: '9:00 AM' }).click()
  await expect(move.getByLabel(/Email the customer/)).toBeChecked()
  await expect(move).toContainText('Email is not set up. Messages are kept in the outbox.')
  await expect(move).toContainText('“New time: Oil Change, Friday, November 27, 2026 at 9:00 AM”')
  await expectAccessible(page)
  await move.getByRole('button', { name: 'Move to Fri, 9:00 AM' }).click()
  await expect(notification(page)).toContainText('Moved, customer not notified')
  await expect(notification(page)).toContainText(`${messageInOutbox} Call (650) 555-0167.`)
  await expect(page).toHaveURL(/day\/2026-11-27/)
  await expect(bookingBlock(page, 'Bay 2', 'Maria Delgado')).toBeFocused()
  expect(await slotOf(shop, 'Maria Delgado')).toEqual({
    at: '2026-11-27 09:00:00',
    minutes: 60,
    bay: 'Bay 2',
  })
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notification(page)).toContainText('Move undone')
  await expect(notification(page)).toContainText('The email will not be sent.')
  expect(await slotOf(shop, 'Maria Delgado')).toMatchObject({
    at: '2026-11-24 13:00:00',
    bay: 'Bay 1',
  })
  expect(await historyOf(shop, 'Maria Delgado')).toEqual(['booked', 'moved', 'moved'])
})

/** Opens the day view in a window that is large enough to show all hours of the day. */
const openWholeDay = async (page: Page) => {
  await page.setViewportSize({ width: 1280, height: 1500 })
  await openStillDay(page)
}
/**
 * Opens the day view and waits for the notice of schedule conflicts, because a notice that appears later would move the
 * grid under the pointer.
 */
async function openStillDay(page: Page): Promise<void> {
  await enableEmail(page)
  await openDay(page)
  await expectScheduleConflicts(page, 1)
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toBeVisible()
}
/**
 * Expects the number of schedule conflicts that the notice above the day lists: Sam's booking, which has no bay, and
 * bookings that the test moved to a time or bay with a conflict.
 */
const expectScheduleConflicts = (page: Page, count: number) =>
  expect(page.locator('.schedule-conflicts').getByRole('listitem')).toHaveCount(count)
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the screen position of a time in a bay's column. The grid shows 11 AM to 7 PM. */
async function pointOf(page: Page, bay: string, time: string) {
  const box = await column(page, bay).boundingBox()
  if (!box) throw new Error('There is no such column.')
  return { x: box.x + 40, y: box.y + ((minuteOf(time) - 660) / 480) * box.height + 6 }
}
async function startDrag(
  page: Page,
  from: [bay: string, time: string],
  to: [bay: string, time: string],
) {
  // Waits until no panel is open, because an open panel makes the columns of the day narrower.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const start = await pointOf(page, ...from)
  const target = await pointOf(page, ...to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 12, start.y + 12)
  await page.mouse.move(target.x, target.y, { steps: 4 })
}
const banner = (page: Page) => page.locator('.drag-banner')

test('Staff drag a booking to another bay or time, notify the customer and undo the move; an aborted drag changes nothing', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openWholeDay(page)
  await startDrag(page, ['No bay', '15:30'], ['Bay 1', '16:30'])
  await expect(banner(page)).toHaveText(
    'Sam Okafor to 4:30 PM, Bay 1 was 3:30 PM, no bay Esc cancels',
  )
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(banner(page)).toBeEmpty()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await startDrag(page, ['Bay 1', '13:00'], ['Bay 2', '15:00'])
  // A change from another window neither ends the drag nor changes the drop target.
  await shop.database.query(
    `update bookings set status = 'arrived' where customer_name = 'Helen Cho'`,
  )
  await addDayBooking(shop, { bay: 'Rack', time: '18:30', minutes: 30, name: 'Omar Haddad' })
  await expect(banner(page)).toContainText('Maria Delgado to 3:00 PM, Bay 2')
  await expectAccessibleHere(page)
  const free = await pointOf(page, 'Rack', '15:00')
  await page.mouse.move(free.x, free.y, { steps: 3 })
  await expect(banner(page)).toContainText('Maria Delgado to 3:00 PM, Rack')
  await page.mouse.up()
  await expect(notification(page)).toContainText(
    'Maria Delgado to Tue, Nov 24, 3:00 PM, Rack. Customer not notified yet.',
  )
  await expect(bookingBlock(page, 'Rack', 'Maria Delgado')).toBeVisible()
  await expect(bookingBlock(page, 'Rack', 'Omar Haddad')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await notification(page).getByRole('button', { name: 'Send email' }).click()
  await expect(notification(page)).toContainText('Moved and customer notified')
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toBeVisible()

  await startDrag(page, ['Bay 1', '13:00'], ['Rack', '13:00'])
  await expect(banner(page)).toContainText('to 1:00 PM, Rack')
  const later = await pointOf(page, 'Rack', '17:15')
  await page.mouse.move(later.x, later.y, { steps: 3 })
  await page.mouse.up()
  await expect(bookingBlock(page, 'Rack', 'Maria Delgado')).toBeVisible()
  await startDrag(page, ['Rack', '17:15'], ['Bay 2', '17:15'])
  await page.mouse.up()
  await expect(notification(page)).toContainText('Tue, Nov 24, 5:15 PM, Bay 2.')
  await expect(notification(page)).not.toContainText('not notified')
})

test('A booking is dropped where the mouse is released, even if the browser has drawn no frame since the mouse moved', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openWholeDay(page)
  await startDrag(page, ['Bay 1', '13:00'], ['Rack', '13:00'])
  await expect(banner(page)).toContainText('to 1:00 PM, Rack')
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0
  })
  const later = await pointOf(page, 'Rack', '17:15')
  await page.mouse.move(later.x, later.y)
  await page.mouse.up()
  await expect(notification(page)).toContainText('Maria Delgado to Tue, Nov 24, 5:15 PM, Rack.')
  expect(await slotOf(shop, 'Maria Delgado')).toMatchObject({ at: '2026-11-24 17:15:00' })
})

test('The notification after a move covers neither the banner of the next drag nor the buttons of a panel', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await page.setViewportSize({ width: 1024, height: 1500 })
  await openStillDay(page)
  await startDrag(page, ['Bay 1', '13:00'], ['Bay 1', '16:00'])
  await page.mouse.up()
  await expect(notification(page)).toContainText('Moved')
  await expect(banner(page)).toBeEmpty()
  await startDrag(page, ['Bay 2', '15:00'], ['Rack', '14:00'])
  await expect(banner(page)).toContainText('June Albright')
  await expectUncovered(page, banner(page))
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await bookingBlock(page, 'Bay 1', 'Maria Delgado').click()
  await page.keyboard.press('m')
  const move = panel(page, 'Move Maria Delgado')
  await expectUncovered(
    page,
    move.getByRole('button', { name: 'Move', exact: true }),
    move.getByRole('button', { name: 'Back' }),
  )
})

test('Arrow keys move a booking, Enter drops it, Esc cancels the move, and letter shortcuts can be switched off', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openDay(page)
  await bookingBlock(page, 'Bay 1', 'Maria Delgado').focus()
  await page.keyboard.press('m')
  await expect(banner(page)).toContainText('Maria Delgado to 1:00 PM, Bay 1')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(banner(page)).toBeEmpty()
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toBeFocused()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  for (let quarter = 0; quarter < 8; quarter += 1) await page.keyboard.press('ArrowDown')
  await expect(banner(page)).toContainText('Maria Delgado to 3:00 PM, Rack')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Moved')
  await expect(bookingBlock(page, 'Rack', 'Maria Delgado')).toBeFocused()
  await page.keyboard.press('m')
  await page.keyboard.press('m')
  await expect(panel(page, 'Move Maria Delgado')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(bookingBlock(page, 'Rack', 'Maria Delgado')).toBeFocused()
  await page.getByRole('button', { name: 'Turn keyboard shortcuts off' }).click()
  await bookingBlock(page, 'Rack', 'Maria Delgado').focus()
  await page.keyboard.press('m')
  await expect(banner(page)).toBeEmpty()
})

test('A drop on a closed, taken or invalid place opens a panel, and the booking stays in place until the user confirms', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openWholeDay(page)
  await startDrag(page, ['Bay 1', '13:00'], ['Bay 1', '14:00'])
  await page.mouse.up()
  const move = panel(page, 'Move Maria Delgado')
  await expect(move).toContainText('The shop is closed at 2:00 PM')
  await expect(column(page, 'Bay 1').locator('.day-conflict')).toBeInViewport()
  const anyTime = move.getByRole('button', { name: 'Move to Tue, 2:00 PM' })
  await expect(anyTime).toHaveClass(/compact-button-secondary/)
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toContainText('1:00 – 2:00 PM')
  await expectAccessibleHere(page)
  await move.getByRole('button', { name: 'Move anyway' }).click()
  await expect(anyTime).toHaveClass(/compact-button-primary/)
  await anyTime.click()
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toContainText('2:00 – 3:00 PM')

  await startDrag(page, ['Bay 2', '15:00'], ['Rack', '16:00'])
  await page.mouse.up()
  await expect(panel(page, 'Move June Albright')).toContainText('4:00 PM is taken in Rack')
  await panel(page, 'Move June Albright')
    .getByRole('button', { name: 'Leave without a bay' })
    .click()
  await panel(page, 'Move June Albright')
    .getByRole('button', { name: 'Move to Tue, 4:00 PM' })
    .click()
  await expect(page.getByText('Please enter a reason.')).toBeVisible()
  await page.getByLabel('Why no bay?').fill('Waits for a part')
  await panel(page, 'Move June Albright')
    .getByRole('button', { name: 'Move to Tue, 4:00 PM' })
    .click()
  await expect(bookingBlock(page, 'No bay', 'June Albright')).toBeVisible()
  await expectScheduleConflicts(page, 2)

  // A booking without a bay cannot overlap another booking. However, the shop is closed at 2:15 PM, so the drop opens
  // the move panel.
  await startDrag(page, ['No bay', '15:30'], ['No bay', '14:15'])
  await page.mouse.up()
  await expect(panel(page, 'Move Sam Okafor')).toContainText('The shop is closed at 2:15 PM')
  await expect(bookingBlock(page, 'No bay', 'Sam Okafor')).toContainText('3:30 PM')
})

test('A dragged booking stays on the shown date, and a drop in a window that is too narrow for the day grid changes nothing', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openWholeDay(page)
  await startDrag(page, ['Bay 1', '13:00'], ['Rack', '15:00'])
  await page.keyboard.press('t')
  await expect(banner(page)).toContainText('Maria Delgado to 3:00 PM, Rack')
  await expect(page).toHaveURL(/day\/2026-11-24/)
  // In a narrow window, the day view has no grid on which the user can drop the booking.
  await page.setViewportSize({ width: 700, height: 1500 })
  await expect(page.getByRole('list', { name: 'Appointments', exact: true })).toBeVisible()
  await page.mouse.up()
  await page.setViewportSize({ width: 1280, height: 1500 })
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toContainText('1:00 – 2:00 PM')
  await expect(banner(page)).toBeEmpty()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await historyOf(shop, 'Maria Delgado')).toEqual(['booked'])
})

test('Extending the duration of a booking shows the conflicting booking, and the vehicle can stay overnight', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await addDayBooking(shop, { bay: 'Bay 1', time: '15:00', minutes: 60, name: 'Walt Jensen' })
  await shop.database.query('update bookings set customer_email = null')
  await openDay(page)
  await bookingBlock(page, 'Bay 1', 'Maria Delgado').click()
  await page.keyboard.press('m')
  const move = panel(page, 'Move Maria Delgado')
  await move.getByLabel('Appointment ends').fill('2026-11-24T12:00')
  await expect(move).toContainText('The end is before the start.')
  await move.getByLabel('Appointment ends').fill('2026-11-25T10:00')
  await expect(move).toContainText('Walt Jensen is booked at 3:00 PM.')
  await expect(move.getByLabel('Appointment ends')).toHaveAccessibleDescription('Does not fit')
  await expect(column(page, 'Bay 1').locator('.day-conflict')).toBeInViewport()
  await move.getByRole('button', { name: 'Change end to Wed, 10:00 AM' }).click()
  await expect(move.locator('.fit-notice')).toBeFocused()
  // An appointment may last longer than a day if the vehicle can stay overnight.
  await expect(move.getByRole('button', { name: 'Tuesday, November 24, 13 free' })).toBeVisible()
  await expect(
    move.getByRole('region', { name: 'Bay 2' }).getByRole('button', { name: '6:00 PM' }),
  ).toBeVisible()
  await move.getByRole('button', { name: 'Show all times' }).click()
  const time = move.getByLabel('Time', { exact: true })
  await expect(time).toHaveAccessibleDescription('Does not fit')
  await move.getByLabel('Bay', { exact: true }).selectOption('Bay 2')
  await expect(move).toContainText('The vehicle stays overnight.')
  await expect(time).not.toHaveAttribute('aria-invalid')
  await expect(page.locator('.day-conflict')).toHaveCount(0)
  await time.selectOption('4:00 PM')
  await expect(move.getByLabel('Appointment ends')).toHaveValue('2026-11-25T13:00')
  await expect(move).toContainText('No email address. Please call')
  await move.getByRole('button', { name: 'Move to Tue, 4:00 PM' }).click()
  await expect(notification(page)).toContainText('Customer not notified yet. Call (650) 555-0167.')
  expect(await slotOf(shop, 'Maria Delgado')).toEqual({
    at: '2026-11-24 16:00:00',
    minutes: 1260,
    bay: 'Bay 2',
  })
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 h of 8 h, 1 vehicle overnight')).toBeAttached()
})

test('A second user who moves the same booking or uses the same time sees the conflict and keeps their input', async ({
  page,
  shop,
  expectedConsoleErrors,
  context,
}) => {
  expectedConsoleErrors.push(/40\d|live|ERR_|Failed/)
  // The test disables live events, so that this browser window does not notice the later change by another window.
  await withoutLiveEvents(page)
  await fillDay(shop)
  await openWholeDay(page)
  await shop.database.query(
    `update bookings set appointment_time = '18:00' where customer_name = 'Maria Delgado'`,
  )
  await startDrag(page, ['Bay 1', '13:00'], ['Rack', '15:00'])
  await page.mouse.up()
  await expect(badNotification(page)).toContainText('Could not move Maria Delgado')
  await expect(bookingBlock(page, 'Bay 1', 'Maria Delgado')).toContainText('6:00 – 7:00 PM')

  // The page has checked that the time is free. Before the page moves the booking, a visitor books this time.
  await page.route('**/api/commands/move-booking', async (route) => {
    await page.unroute('**/api/commands/move-booking')
    await addDayBooking(shop, { bay: 'Bay 1', time: '16:30', minutes: 30, name: 'Omar Haddad' })
    await route.continue()
  })
  await startDrag(page, ['No bay', '15:30'], ['Bay 1', '16:30'])
  await page.mouse.up()
  const move = panel(page, 'Move Sam Okafor')
  await expect(move).toContainText('4:30 PM in Bay 1 was just taken')
  await expect(bookingBlock(page, 'No bay', 'Sam Okafor')).toBeVisible()
  await move.locator('.fit-times').getByRole('button').first().click()
  await move.getByRole('button', { name: /^Move to Tue/ }).click()
  await expect(notification(page)).toContainText('Moved')
  await expect(move).toBeHidden()
  await expect(bookingBlock(page, 'No bay', 'Sam Okafor')).toHaveCount(0)
  await expectScheduleConflicts(page, 0)

  // When the connection is lost during a drop, the booking keeps its old time and bay.
  await page.route('**/rpc/check_booking_time', (route) => route.abort())
  await startDrag(page, ['Bay 2', '15:00'], ['Bay 2', '16:00'])
  await page.mouse.up()
  await expect(badNotification(page)).toContainText('You’re offline.')
  await expect(banner(page)).toBeEmpty()
  await expect(bookingBlock(page, 'Bay 2', 'June Albright')).toContainText('3:00 – 5:00 PM')
  await page.unroute('**/rpc/check_booking_time')
  await badNotification(page).getByRole('button').first().click()
  await expect(badNotification(page)).toHaveCount(0)
  await context.setOffline(true)
  await expect(page.getByText(/^No connection\. Showing/)).toBeVisible()
  await startDrag(page, ['Bay 2', '15:00'], ['Bay 2', '16:00'])
  await page.mouse.up()
  await expect(badNotification(page)).toContainText('You’re offline.')
  await expect(banner(page)).toBeEmpty()
  await context.setOffline(false)
  await expect(bookingBlock(page, 'Bay 2', 'June Albright')).toContainText('3:00 – 5:00 PM')
  expect(await historyOf(shop, 'June Albright')).toEqual(['booked'])
})

test('When another user moves a booking to another date, a notice links to that date', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  await openDay(page)
  await bookingBlock(page, 'Bay 1', 'Maria Delgado').click()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Move…' }).click()
  await expect(panel(page, 'Move Maria Delgado')).toBeVisible()
  await shop.database.query(
    `update bookings set appointment_date = '2026-11-27' where customer_name = 'Maria Delgado'`,
  )
  await expect(page.getByText('Maria Delgado was moved to another day.')).toBeVisible()
  await expect(page.getByText('Friday, November 27, 1:00 PM.')).toBeVisible()
  await page.getByRole('button', { name: 'Show that day' }).click()
  await expect(page).toHaveURL(/day\/2026-11-27/)
  await expect(panel(page, 'Move Maria Delgado')).toContainText('Fri, Nov 27, 1:00 PM')
})

test.describe('In a browser in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })
  test('dragging a booking uses the shop’s time zone', async ({ page, shop }) => {
    await fillDay(shop)
    await openWholeDay(page)
    await startDrag(page, ['No bay', '15:30'], ['Bay 1', '16:30'])
    await page.mouse.up()
    await expect(notification(page)).toContainText('Sam Okafor to Tue, Nov 24, 4:30 PM, Bay 1.')
    expect(await slotOf(shop, 'Sam Okafor')).toEqual({
      at: '2026-11-24 16:30:00',
      minutes: 30,
      bay: 'Bay 1',
    })
  })
})

test.describe('On a tablet', () => {
  test.use({ hasTouch: true })
  test('a long press on a booking starts a drag, and an immediate movement scrolls', async ({
    page,
    shop,
  }) => {
    await fillDay(shop)
    // The window is shorter than the page, so that the page can scroll, but high enough that the times of the test are
    // not at the window's edge.
    await page.setViewportSize({ width: 1280, height: 1250 })
    await openStillDay(page)
    const touches = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      touches.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    const held = await pointOf(page, 'Bay 1', '13:00')
    await touch('touchStart', held)
    await expect(banner(page)).toContainText('Maria Delgado to 1:00 PM, Bay 1')
    const scrolled = await page.evaluate(() => window.scrollY)
    const rack = await pointOf(page, 'Rack', '15:00')
    await touch('touchMove', { x: rack.x - 40, y: held.y })
    await touch('touchMove', rack)
    await expect(banner(page)).toContainText('Maria Delgado to 3:00 PM, Rack')
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
    await touch('touchEnd')
    await expect(notification(page)).toContainText('Maria Delgado to Tue, Nov 24, 3:00 PM, Rack.')

    const start = await pointOf(page, 'Bay 2', '15:00')
    const before = await page.evaluate(() => window.scrollY)
    const pulled = (px: number) => touch('touchMove', { ...start, y: start.y - px })
    // The test sends the touch events without awaiting each one, because a delayed move would count as a long press.
    await Promise.all([touch('touchStart', start), pulled(20)])
    for (let px = 40; px <= 200; px += 20) await pulled(px)
    await touch('touchEnd')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before)
    await expect(banner(page)).toBeEmpty()
  })
})
