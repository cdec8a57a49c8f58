import { addDays, formatDate, mondayOf } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import {
  badNotification,
  expect,
  expectAccessible,
  type Locator,
  type Page,
  signIn,
  test,
  todayColumn,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'

const today = () => shopToday(new Date())

/** Opens the week calendar at the given date. A phone shows one day at a time. */
async function openDay(page: Page, date: string) {
  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${date}`)
}

const cards = (page: Page) => todayColumn(page).getByRole('listitem')

test.beforeEach(async ({ shop, page }) => {
  await clearBookings(shop)
  await signIn(page)
})

test('The calendar shows a week from Monday to Sunday, and its buttons show the previous or next week @phone', async ({
  page,
}) => {
  await page.goto('/admin-dashboard')
  const monday = mondayOf(today())
  await expect(page.getByText(`Week of ${formatDate(monday)}`)).toBeVisible()
  await page.getByRole('button', { name: 'Next week' }).click()
  await expect(page.getByText(`Week of ${formatDate(addDays(monday, 7))}`)).toBeVisible()
  await page.getByRole('button', { name: 'Today' }).click()
  await page.getByRole('button', { name: 'Previous week' }).click()
  await expect(page.getByText(`Week of ${formatDate(addDays(monday, -7))}`)).toBeVisible()
})

test('On a wide screen the dates of the week are beside the heading, and the placeholder of the search is not clipped', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await openDay(page, today())
  const middleOf = async (locator: Locator) => {
    const { y = 0, height = 0 } = (await locator.boundingBox()) ?? {}
    return y + height / 2
  }
  const heading = await middleOf(page.getByRole('heading', { name: /^Appointments/ }))
  expect(Math.abs((await middleOf(page.getByText(/^Week of/))) - heading)).toBeLessThan(3)
  const room = await page.getByRole('searchbox').evaluate((input: HTMLInputElement) => {
    const style = getComputedStyle(input)
    const text = document.createElement('canvas').getContext('2d')
    if (!text) throw new Error('There is no canvas.')
    text.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)
    return input.clientWidth - padding - text.measureText(input.placeholder).width
  })
  expect(room).toBeGreaterThanOrEqual(0)
})

test('A day without appointments shows a message, and a day with several appointments sorts them by time', async ({
  page,
  shop,
}) => {
  await openDay(page, today())
  await expect(todayColumn(page)).toContainText('No appointments')
  await addBooking(shop, { time: '15:00:00', name: 'Late Larry' })
  await addBooking(shop, { time: '11:00:00', name: 'Early Erin' })
  await page.reload()
  const names = cards(page).getByRole('strong')
  await expect(names).toHaveText(['Early Erin', 'Late Larry'])
})

test('The card of an appointment shows every field @phone', async ({ page, shop }) => {
  await addBooking(shop, { time: '13:30:00', name: 'Dana Whitfield', service: 'Brake Job' })
  await openDay(page, today())
  const card = cards(page)
  for (const text of [
    '1:30 PM',
    'Booked',
    'Dana Whitfield',
    'Brake Job',
    'dana@customer.example',
    '(650) 555-0167',
    '2019 Subaru Outback Green',
  ]) {
    await expect(card).toContainText(text)
  }
  await expectAccessible(page)
})

test('Completing an appointment, undoing the completion and deleting the appointment each show a message', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  await openDay(page, today())
  const card = cards(page)
  await card.getByRole('button', { name: /^Complete/ }).press('Enter')
  await expect(page.getByText('Appointment Completed')).toBeVisible()
  await expect(card.getByRole('button', { name: /^Undo/ })).toBeFocused()
  await expect(card).toContainText('COMPLETED')
  await expect(card).not.toContainText('Booked')

  await card.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByText('Completion Undone')).toBeVisible()
  await expect(card).toContainText('Booked')

  await card.getByRole('button', { name: /^Complete/ }).click()
  await card.getByRole('button', { name: /^Delete/ }).click()
  const confirmation = page.getByRole('dialog', { name: 'Delete Appointment' })
  await expectAccessible(page)
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: /^Delete/ }).click()
  await confirmation.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('Appointment Deleted')).toBeVisible()
  await expect(todayColumn(page)).toContainText('No appointments')
  await expect(page.locator('h2, h3').and(page.locator(':focus'))).toBeVisible()
})

test('The deletion of an appointment that another window reopened is refused with a message', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400 \(Bad Request\)/)
  const id = await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield', completed: true })
  await withoutLiveEvents(page)
  await openDay(page, today())
  await cards(page)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await shop.database.query(
    'update bookings set completed_at = null, completed_by = null where id = $1',
    [id],
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(badNotification(page)).toHaveText(
    'Cannot DeleteOnly completed appointments can be deleted.',
  )
  const { rowCount } = await shop.database.query('select from bookings where id = $1', [id])
  expect(rowCount).toBe(1)
})

test('The deletion dialog names the task that was created from the appointment', async ({
  page,
  shop,
}) => {
  const id = await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield', completed: true })
  await addBooking(shop, { time: '13:00:00', name: 'Ken Morimoto', completed: true })
  await shop.database.query(`insert into tasks (title, booking_id) values ('Front brakes', $1)`, [
    id,
  ])
  await openDay(page, today())
  const dialog = page.getByRole('dialog', { name: 'Delete Appointment' })
  for (const [name, isNotified] of [
    ['Ken Morimoto', false],
    ['Dana Whitfield', true],
  ] as const) {
    await cards(page)
      .filter({ hasText: name })
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(dialog).toContainText(name)
    await expect(dialog.getByText('The task created from this appointment is kept')).toBeVisible({
      visible: isNotified,
    })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
})

test('Completing or reopening an appointment that another window already completed or reopened shows a message', async ({
  page,
  shop,
}) => {
  const id = await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  await withoutLiveEvents(page)
  await openDay(page, today())
  const card = cards(page)
  await expect(card).toBeVisible()
  const elsewhere = (completed: boolean) =>
    shop.database.query(
      `update bookings set completed_at = case when $2 then now() end,
         completed_by = case when $2 then 'admin' end where id = $1`,
      [id, completed],
    )
  await elsewhere(true)
  await card.getByRole('button', { name: /^Complete/ }).click()
  await expect(
    page.getByText('The appointment was already completed or deleted in another window.'),
  ).toBeVisible()
  await expect(card).toContainText('COMPLETED')
  await elsewhere(false)
  await card.getByRole('button', { name: /^Undo/ }).click()
  await expect(
    page.getByText('The appointment was reopened or deleted in another window.'),
  ).toBeVisible()
  await expect(card).toContainText('Booked')
})

test('The list separates upcoming from completed appointments, and the dashboard opens with the list the next time', async ({
  page,
  shop,
}) => {
  await page.goto('/admin-dashboard')
  await page.getByRole('button', { name: 'List' }).click()
  await expect(page.getByText('No upcoming appointments scheduled')).toBeVisible()
  await expect(page.getByText('No completed appointments')).toBeVisible()
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield', notes: 'Grinding noise' })
  await addBooking(shop, { time: '13:00:00', name: 'Ken Morimoto', completed: true })
  await page.goto('/admin-dashboard')
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (1)' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Appointments (1)' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Appointments (2)', exact: true })).toBeVisible()
  const upcoming = page.getByRole('article').filter({ hasText: 'Dana Whitfield' })
  await expect(upcoming).toContainText('Grinding noise')
  await expect(upcoming).toContainText('45 minutes')
  await page.getByRole('button', { name: /^Undo Complete/ }).click()
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments (2)' })).toBeVisible()
  await expectAccessible(page)
})

test('The search of the calendar finds an appointment by name, phone digits or vehicle', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  await addBooking(shop, { time: '13:00:00', name: 'Ken Morimoto', phone: '(650) 555-0134' })
  await page.goto('/admin-dashboard')
  const field = page.getByRole('searchbox')
  for (const input of ['morimoto', '6505550134', '555-0134', 'ken outback']) {
    await field.fill(input)
    await expect(page.getByRole('heading', { name: 'Upcoming Appointments (1)' })).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Ken Morimoto')
  }
  await field.fill('100%_nobody')
  await expect(page.getByText(/No upcoming appointments scheduled for/)).toBeVisible()
  expect(page.url()).not.toContain('nobody')
  const pressed = page.getByRole('group', { name: 'View' }).locator('[aria-pressed=true]')
  await expect(pressed).toHaveText('List')
  await page.getByRole('button', { name: 'Calendar' }).click()
  await expect(todayColumn(page)).toBeVisible()
  await expect(pressed).toHaveText('Calendar')
  await expect(field).toHaveValue('')
})

test('The printed day shows the date, the work and the notes, without buttons', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield', notes: 'Grinding noise' })
  await addBooking(shop, { date: addDays(today(), 1), time: '11:00:00', name: 'Tomorrow Tom' })
  await openDay(page, today())
  const card = cards(page).filter({ hasText: 'Dana Whitfield' })
  await expect(card.getByText('Grinding noise')).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  for (const text of ['Oil Change', '45 minutes', '(650) 555-0167', 'Grinding noise']) {
    await expect(card.getByText(text)).toBeVisible()
  }
  await expect(page.getByText('Tomorrow Tom', { exact: true })).toBeHidden()
  await expect(
    page.locator('button:not(.open-booking), input, [role=tab]').locator('visible=true'),
  ).toHaveCount(0)
  const heading = todayColumn(page)
  expect(await heading.evaluate((day) => getComputedStyle(day, '::before').content)).toContain(
    formatDate(today()),
  )
})

test('A failed load of the appointments shows an error and a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/500 \(Internal/, /Failed to load resource/)
  // The test disables live events, because a live event would refetch the list before the test acts on the old list.
  await withoutLiveEvents(page)
  await page.route('**/rest/v1/bookings*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/admin-dashboard')
  await expect(badNotification(page)).toHaveText('Data Loading ErrorFailed to load dashboard data.')
  await page.unroute('**/rest/v1/bookings*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(todayColumn(page)).toBeVisible()
})

test('The calendar, the list and a new task show the name that the service had when it was booked', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield', service: 'Brake Job' })
  const rename = (from: string, to: string) =>
    shop.database.query('update services set name = $2 where name = $1', [from, to])
  await rename('Brake Job', 'Brakes and rotors')
  try {
    await openDay(page, today())
    await expect(cards(page)).toContainText('Brake Job')
    await page.goto('/admin-dashboard/appointments?view=list')
    const record = page.getByRole('article').filter({ hasText: 'Dana Whitfield' })
    await expect(record).toContainText('Brake Job 90 minutes')
    await record.getByRole('button', { name: /^Add to Tasks/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Convert Appointment to Task' })
    await expect(dialog.getByLabel('Task Title')).toHaveValue('Brake Job: 2019 Subaru Outback')
    await expect(dialog).toContainText('Dana Whitfield, Brake Job')
  } finally {
    await rename('Brakes and rotors', 'Brake Job')
  }
})

test('Converting an appointment into a task prefills the task with values of the appointment', async ({
  page,
  shop,
}) => {
  await addBooking(shop, {
    time: '11:00:00',
    name: 'Dana Whitfield',
    service: 'Brake Job',
    notes: 'Grinding noise',
  })
  await openDay(page, today())
  await cards(page)
    .getByRole('button', { name: /^Add to Tasks/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Convert Appointment to Task' })
  await expect(dialog.getByLabel('Task Title')).toHaveValue('Brake Job: 2019 Subaru Outback')
  await expect(dialog.getByLabel('Car')).toHaveValue('2019 Subaru Outback, Green')
  await expect(dialog.getByLabel('Task Description')).toHaveValue('Grinding noise')
  await expect(dialog.getByLabel('Priority Level')).toHaveValue('medium')
  await expectAccessible(page)
  await dialog.getByLabel('Task Title').fill('   ')
  await expect(dialog.getByRole('button', { name: 'Create Task' })).toBeDisabled()
  await dialog.getByLabel('Task Title').fill('Front brakes')
  await dialog.getByLabel('Assign To Employee').selectOption({ label: 'Ana Reyes' })
  const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/rest/v1/tasks*', async (route) => {
    await seen
    await route.continue()
  })
  await dialog.getByLabel('Task Title').press('Enter')
  await expect(dialog.getByRole('button', { name: 'Creating Task...' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  goOn()
  await expect(page.getByText('Task Created')).toBeVisible()
  await page.evaluate(() => Reflect.set(window, 'stayed', true))
  await page.getByRole('link', { name: 'In tasks' }).locator('visible=true').click()
  const task = page.getByRole('article', { name: 'Front brakes' })
  await expect(task).toContainText('Dana Whitfield')
  await expect(task).toContainText('Ana Reyes')
  await expect(task).toBeFocused()
  expect(await page.evaluate(() => Reflect.get(window, 'stayed'))).toBe(true)
})

test('Clicking the customer’s name in the calendar or in the list opens the panel of the appointment in the day view', async ({
  page,
  shop,
}) => {
  const date = addDays(mondayOf(today()), 7)
  await addBooking(shop, { date, time: '09:00:00', name: 'Maria Delgado' })
  await openDay(page, date)
  const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await page.getByRole('button', { name: 'Maria Delgado', exact: true }).click()
  await expect(panel.getByRole('button', { name: 'Move…' })).toBeVisible()
  await expect(page.getByText(/^Week of/)).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(panel).toBeHidden()
  await page.goto('/admin-dashboard/appointments?view=list')
  await page.getByRole('button', { name: 'Maria Delgado', exact: true }).click()
  await panel.getByRole('button', { name: 'Move…' }).click()
  await expect(page.getByRole('dialog', { name: /^Move/ })).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('The panel of an appointment that cannot be loaded shows an error, a retry button and a Close button', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  const id = await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  const failed = page.getByRole('dialog', { name: 'Appointment', exact: true })
  // The test disables live events, because a live event would refetch the appointment before the test clicks.
  await withoutLiveEvents(page)
  const calls = [`**/rest/v1/bookings?*id=eq.${id}*`, '**/rest/v1/rpc/read_day']
  for (const call of calls) {
    await page.route(call, (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
    await page.goto(`/admin-dashboard/appointments?view=list&booking=${id}`)
    await expect(failed).toContainText('The appointment could not be loaded.')
    await expectAccessible(page)
    await page.unroute(call)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('dialog', { name: 'Dana Whitfield' })).toBeVisible()
  }
  await page.route(calls[0] ?? '', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect(failed).toBeHidden()
  await expect(page).not.toHaveURL(/booking=/)
})

test('The calendar shows that a day is closed, with the reason of the closure', async ({
  page,
  shop,
}) => {
  const date = addDays(mondayOf(today()), 8)
  await shop.database.query(
    `insert into special_hours (starts_at, ends_at, reason, is_public)
     values ($1::date, $1::date + 1, 'Staff training', false)`,
    [date],
  )
  await openDay(page, date)
  await expect(page.getByText('Closed: Staff training')).toBeVisible()
  await shop.database.query(`delete from special_hours where reason = 'Staff training'`)
})
