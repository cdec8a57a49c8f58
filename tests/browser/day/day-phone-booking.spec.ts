import { addDays, formatLongDate } from '#domain/calendar/calendar-date.ts'
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

/** The time of the tests: 10 AM on a Saturday on which the shop is open from 8:30 AM to 9:00 PM. */
const noon = '2026-11-28T10:00:00-08:00'
const tomorrow = '2026-11-29'

test.beforeEach(async ({ shop, page }) => {
  await shop.setClock(noon)
  await page.clock.setFixedTime(new Date(noon))
  await clearBookings(shop)
  await signIn(page)
})
test.afterEach(({ shop }) => shop.setClock(undefined))

const panel = (page: Page) => page.getByRole('dialog', { name: /^Book by phone/ })
const save = (page: Page) => panel(page).getByRole('button', { name: 'Save' })
const customerField = (page: Page) => panel(page).getByRole('combobox', { name: 'Who is calling?' })

async function openPanel(page: Page, date = tomorrow) {
  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${date}`)
  // The test presses the button with a key, because the notices of a new shop may move the button away from a pointer.
  await page.getByRole('button', { name: 'Book', exact: true }).press('Enter')
  await expect(panel(page)).toBeVisible()
}

async function booked(shop: Shop, name: string) {
  const { rows } = await shop.database.query<{ at: string; status: string; bay: string | null }>(
    `select (appointment_date + appointment_time)::text as at, status,
       (select name from bays where id = bay_id) as bay
     from bookings where customer_name = $1 order by created_at`,
    [name],
  )
  return rows
}

async function emailsTo(shop: Shop, address: string) {
  const { rowCount } = await shop.database.query('select from emails where recipient_email = $1', [
    address,
  ])
  return rowCount
}

test('Staff book a known customer by phone with three keys after the search text', async ({
  page,
  shop,
}) => {
  await addBooking(shop, {
    date: addDays(tomorrow, -30),
    time: '09:00:00',
    name: 'Maria Delgado',
    service: 'Brake Job',
  })
  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${tomorrow}`)
  await expect(page.getByRole('button', { name: 'Book', exact: true })).toBeVisible()
  await page.keyboard.press('n')
  await customerField(page).focus()
  await page.keyboard.type('del')
  await expect(panel(page).getByRole('option').first()).toContainText('Maria Delgado')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  await expect(panel(page).getByRole('radio', { name: '2019 Subaru Outback' })).toBeChecked()
  await expect(panel(page).getByLabel('Service')).toContainText('Brake Job')
  await expect(panel(page).getByLabel('Time')).toHaveValue('08:30')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Booked. Maria Delgado, Sunday, 8:30 AM, Bay 1.')
  await expect(panel(page)).toBeHidden()
  const [, booking] = await booked(shop, 'Maria Delgado')
  expect(booking).toEqual({ at: `${tomorrow} 08:30:00`, status: 'confirmed', bay: 'Bay 1' })
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notification(page)).toContainText('Booking undone.')
  expect((await booked(shop, 'Maria Delgado'))[1]?.status).toBe('cancelled')
})

test('A new customer needs a name and a phone number, and a known phone number shows the name of its customer', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { date: '2026-10-03', time: '09:00:00', name: 'Maria Delgado' })
  await openPanel(page)
  await customerField(page).fill('Jon Bellamy')
  await panel(page).getByRole('option', { name: 'New customer “Jon Bellamy”' }).click()
  await expect(panel(page).getByLabel('Name')).toHaveValue('Jon Bellamy')
  await panel(page).getByLabel('Name').fill('')
  await save(page).click()
  await expect(panel(page).getByText('Please enter a name.')).toBeVisible()
  await expect(panel(page).getByText('Please enter a phone number.')).toBeVisible()
  await expect(panel(page).getByLabel('Name')).toBeFocused()
  await panel(page).getByLabel('Name').fill('Jon Bellamy')
  await panel(page).getByLabel('Phone').fill('650.555.0167')
  await expect(panel(page).getByText('Maria Delgado has this number.')).toBeVisible()
  await panel(page).getByLabel('Vehicle').fill('2016 Honda Civic')
  await expect(panel(page).getByText('No email address, so no confirmation is sent.')).toBeVisible()
  await panel(page).getByLabel('Email').fill('jon@customer.example')
  await expect(
    panel(page).getByText(
      'Email is not set up. The confirmation to jon@customer.example is kept in the outbox.',
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await save(page).click()
  await expect(notification(page)).toContainText('Booked. Jon Bellamy, Sunday, 8:30 AM, Bay 1.')
  await expect(notification(page)).toContainText('Undo cancels the appointment.')
  await expect.poll(() => emailsTo(shop, 'jon@customer.example')).toBe(1)
  await expect(page.getByRole('region', { name: formatLongDate(tomorrow) })).toContainText(
    '2016 Honda Civic',
  )
})

test('A phone booking shows free times for a conflict, and staff can give a reason to overbook without a bay', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { date: tomorrow, time: '13:30:00', name: 'Walt Jensen' })
  await openPanel(page)
  await customerField(page).fill('(650) 555-0129')
  await panel(page)
    .getByRole('option', { name: /^New customer/ })
    .click()
  await panel(page).getByLabel('Name').fill('Jon Bellamy')
  await panel(page).getByLabel('Service').selectOption({ label: 'Brake Job, 90 min' })
  await panel(page).getByLabel('Bay').selectOption('Bay 1')
  await panel(page).getByLabel('Time').selectOption('1:00 PM')
  const notice = panel(page).locator('.fit-notice')
  await expect(notice).toContainText('1:00 PM is too short in Bay 1')
  await expect(notice).toContainText(
    'Brake Job takes until 2:30 PM. Walt Jensen is booked at 1:30 PM.',
  )
  await expect(notice).toContainText('Next free for 1 h 30 min')
  await expect(notice.getByRole('button', { name: /[AP]M/ })).toHaveCount(3)
  await expectAccessible(page)
  await save(page).click()
  await expect(notice).toBeFocused()
  await notice.getByRole('button', { name: 'Book without a bay' }).click()
  await save(page).click()
  await expect(panel(page).getByText('Please enter a reason.')).toBeVisible()
  await panel(page).getByLabel('Why no bay?').fill('Comes on a tow truck')
  await save(page).click()
  await expect(notification(page)).toContainText('Booked. Jon Bellamy, Sunday, 1:00 PM, No bay.')
  expect(await booked(shop, 'Jon Bellamy')).toEqual([
    { at: `${tomorrow} 13:00:00`, status: 'confirmed', bay: null },
  ])
})

test('While the time of a phone booking does not fit, the time field is red, Save is not the main button, and the day view marks the slot @phone', async ({
  page,
  shop,
}) => {
  await addBooking(shop, { date: tomorrow, time: '19:00:00', name: 'Walt Jensen' })
  await page.goto(`/admin-dashboard/day/${tomorrow}?book=${tomorrow}`)
  const time = panel(page).getByLabel('Time')
  await expect(save(page)).toHaveClass(/compact-button-primary/)
  await panel(page).getByLabel('Bay').selectOption('Bay 1')
  await time.selectOption('7:30 PM')
  const notice = panel(page).locator('.fit-notice')
  await expect(notice).toContainText('7:30 PM is taken in Bay 1')
  await expect(notice).toBeInViewport({ ratio: 1 })
  await expect(time).toHaveAttribute('aria-invalid', 'true')
  await expect(time).toHaveAccessibleDescription('Does not fit')
  await expect(save(page)).toHaveClass(/compact-button-secondary/)
  await expectAccessible(page)
  if ((page.viewportSize()?.width ?? 0) >= 1024) {
    const place = page.getByRole('list', { name: 'Bay 1' }).locator('.day-conflict')
    await expect(place).toBeInViewport({ ratio: 1 })
    const { x = 0, width = 0 } = (await place.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual((await panel(page).boundingBox())?.x ?? 0)
    // The marker of the conflict does not cover Walt Jensen's booking.
    await page.getByRole('button', { name: /Walt Jensen/ }).click({ trial: true })
  }
  await notice.getByRole('button', { name: /[AP]M/ }).first().click()
  await expect(time).not.toHaveAttribute('aria-invalid')
  await expect(save(page)).toHaveClass(/compact-button-primary/)
  await expect(page.locator('.day-conflict')).toHaveCount(0)
})

test('A time that was booked while the phone booking was open is reported, and one press books another free time', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400/)
  await openPanel(page)
  await customerField(page).fill('Jon Bellamy')
  await panel(page)
    .getByRole('option', { name: /^New customer/ })
    .click()
  await panel(page).getByLabel('Phone').fill('(650) 555-0129')
  await expect(panel(page).getByLabel('Time')).toHaveValue('08:30')
  await addBooking(shop, { date: tomorrow, time: '08:30:00', name: 'Robin Quick' })
  await panel(page).getByLabel('Customer’s request').fill('Grinds when cold')
  await save(page).click()
  const notice = panel(page).locator('.fit-notice')
  await expect(notice).toContainText('8:30 AM is taken')
  await expect(panel(page).getByLabel('Customer’s request')).toHaveValue('Grinds when cold')
  expect(await booked(shop, 'Jon Bellamy')).toEqual([])
  await notice.getByRole('button', { name: /^9:30 AM/ }).click()
  await save(page).click()
  await expect(notification(page)).toContainText('Booked. Jon Bellamy, Sunday, 9:30 AM, Bay 1.')
})

test('A phone booking outside business hours needs a confirmation', async ({ page, shop }) => {
  await openPanel(page)
  await customerField(page).fill('Jon Bellamy')
  await panel(page)
    .getByRole('option', { name: /^New customer/ })
    .click()
  await panel(page).getByLabel('Phone').fill('(650) 555-0129')
  await panel(page).getByLabel('Time').selectOption('7:00 AM')
  const notice = panel(page).locator('.fit-notice')
  await expect(notice).toContainText('The shop is closed at 7:00 AM')
  await save(page).click()
  await expect(notice).toBeFocused()
  expect(await booked(shop, 'Jon Bellamy')).toEqual([])
  await notice.getByRole('button', { name: 'Book anyway', exact: true }).click()
  await save(page).click()
  await expect(notification(page)).toContainText('Sunday, 7:00 AM, Bay 1.')
})

test('A phone booking whose response was lost is sent again, and the appointment is booked only once', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/ERR_FAILED/)
  await openPanel(page)
  await customerField(page).fill('Jon Bellamy')
  await panel(page)
    .getByRole('option', { name: /^New customer/ })
    .click()
  await panel(page).getByLabel('Phone').fill('(650) 555-0129')
  await page.route('**/api/commands/book-by-phone', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await save(page).click()
  await expect(panel(page).getByRole('alert')).toContainText(
    'Press Save again: the appointment is booked only once.',
  )
  await expect(panel(page).getByLabel('Name')).toHaveValue('Jon Bellamy')
  await page.unroute('**/api/commands/book-by-phone')
  await save(page).click()
  await expect(notification(page)).toContainText('Booked. Jon Bellamy')
  expect(await booked(shop, 'Jon Bellamy')).toHaveLength(1)
})

test('Esc in a phone booking asks before it discards input, and the N key opens no phone booking when shortcuts are off', async ({
  page,
}) => {
  await openPanel(page)
  await customerField(page).fill('Jon')
  await page.keyboard.press('n')
  await expect(customerField(page)).toHaveValue('Jonn')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard this booking?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(customerField(page)).toHaveValue('Jonn')
  await panel(page)
    .getByRole('switch', { name: /The key N/ })
    .uncheck()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(panel(page)).toBeHidden()
  await page.keyboard.press('n')
  await expect(panel(page)).toBeHidden()
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await panel(page)
    .getByRole('switch', { name: /The key N/ })
    .check()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await page.keyboard.press('n')
  await expect(panel(page)).toBeVisible()
})

test('The day view opens at the current time, and a newly booked appointment gets the focus', async ({
  page,
  shop,
}) => {
  await shop.setClock('2026-11-28T18:00:00-08:00')
  await page.clock.setFixedTime(new Date('2026-11-28T18:00:00-08:00'))
  await addBooking(shop, { date: addDays(tomorrow, -30), time: '09:00:00', name: 'Maria Delgado' })
  await page.goto('/admin-dashboard/day')
  await expect(page.locator('.day-now')).toBeInViewport()
  await page.keyboard.press('n')
  await customerField(page).fill('Maria')
  await panel(page)
    .getByRole('option', { name: /Maria Delgado/ })
    .first()
    .click()
  await save(page).click()
  await expect(notification(page)).toContainText('Booked. Maria Delgado')
  const block = page.locator('[data-stop]:focus')
  await expect(block).toContainText('Maria Delgado')
  await expect(block).toBeInViewport()
  // The booking gets the focus only once, not again when the day is shown later.
  await page.getByRole('button', { name: 'Calendar' }).click()
  await expect(page.getByText(/^Week of/)).toBeVisible()
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect(page.locator('[data-stop]').filter({ hasText: 'Maria Delgado' })).toBeVisible()
  await expect(page.locator('[data-stop]:focus')).toHaveCount(0)
})

test('In a phone booking, Enter in a select and Ctrl+Enter save, and one press of Tab leaves the date field', async ({
  page,
  shop,
}) => {
  const date = addDays(tomorrow, -30)
  await addBooking(shop, { date, time: '09:00:00', name: 'Maria Delgado' })
  await addBooking(shop, { date, time: '14:00:00', name: 'Jon Bellamy' })
  const choose = async (name: string) => {
    await openPanel(page)
    await customerField(page).fill(name.slice(0, 4))
    await panel(page)
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .click()
    await expect(panel(page).getByRole('heading', { name })).toBeVisible()
  }
  await choose('Maria Delgado')
  await panel(page).getByLabel('Day').focus()
  await page.keyboard.press('Tab')
  await expect(panel(page).getByLabel('Time')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(panel(page).getByLabel('Service')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Booked. Maria Delgado')
  await choose('Jon Bellamy')
  await panel(page).getByLabel('Customer’s request').fill('Please call first.')
  await page.keyboard.press('Control+Enter')
  await expect(notification(page)).toContainText('Booked. Jon Bellamy')
})

test('Under the pointer and with the focus, a free slot shows the half hour that a click would book', async ({
  page,
}) => {
  await page.goto(`/admin-dashboard/day/${tomorrow}`)
  const freeSlot = page.getByRole('button', { name: /^8:30 AM.* free$/ })
  const half = freeSlot.locator('.day-half-hour')
  await expect(half).toHaveCount(0)
  await freeSlot.hover({ position: { x: 60, y: 200 } })
  const time = await half.textContent()
  expect(time).not.toBe('8:30 AM')
  await freeSlot.click({ position: { x: 60, y: 200 } })
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText(time ?? 'none')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await page.mouse.move(0, 0)
  await freeSlot.blur()
  await page.keyboard.press('Shift')
  await freeSlot.focus()
  await expect(half).toHaveText('8:30 AM')
})

test('Clicking a free slot in the day view opens the phone booking with its day, time and bay @phone', async ({
  page,
  shop,
}) => {
  await addBooking(shop, {
    date: tomorrow,
    time: '09:00:00',
    name: 'Maria Delgado',
    service: 'Multipoint Inspection',
  })
  await page.goto(`/admin-dashboard/day/${tomorrow}`)
  const freeSlot = page.getByRole('button', { name: /^10:00 AM.* free$/ })
  await freeSlot.press('Enter')
  await expect(panel(page).getByLabel('Day')).toHaveValue(tomorrow)
  await expect(panel(page).getByLabel('Time')).toHaveValue('10:00')
  await expect(panel(page).getByRole('combobox', { name: 'Bay' })).toContainText('Bay 1')
  await expectAccessible(page)
  const drawn = page.getByText('New booking', { exact: true })
  if ((page.viewportSize()?.width ?? 0) > 1024) {
    await expect(drawn.locator('..')).toContainText('10:00 – 10:45 AM')
    await panel(page).getByLabel('Service').selectOption({ label: 'Brake Job, 90 min' })
    await expect(drawn.locator('..')).toContainText('10:00 – 11:30 AM')
  }
  await customerField(page).fill('Jon Bellamy')
  await page.goto('/admin-dashboard/tasks')
  await expect(drawn).toHaveCount(0)
  await page.goto(`/admin-dashboard/appointments?view=list`)
  await page.getByRole('button', { name: 'Book', exact: true }).press('Enter')
  await expect(customerField(page)).toHaveValue('Jon Bellamy')
  await expect(panel(page).getByLabel('Time')).toHaveValue('10:00')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Book', exact: true }).press('Enter')
  await expect(customerField(page)).toHaveValue('')
})
