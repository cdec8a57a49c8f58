import { addDayBooking, emptyDay, resetDay, fixtureDay } from '#tests/browser/day/day-records.ts'
import {
  confirmButton,
  fillDetails,
  reachDetails,
  startAt,
} from '#tests/browser/booking/booking-steps.ts'
import { expect, expectAccessible, type Shop, signIn, test } from '#tests/browser/fixtures.ts'
import {
  addVisitPage,
  expectNoWiderThanScreen,
  heading,
  main,
  mondayEvening,
} from './visit-page-steps.ts'

test.beforeEach(async ({ shop }) => {
  await emptyDay(shop)
  await shop.setClock(mondayEvening)
})
test.afterEach(({ shop }) => resetDay(shop))

const stateOf = async (shop: Shop) => {
  const { rows } = await shop.database.query<{ state: string }>(
    `select status || ' ' || appointment_date || ' ' || appointment_time as state from bookings
     where customer_name = 'Maria Delgado'`,
  )
  return rows[0]?.state
}

test('the visit page shows the appointment, and accepts “I’ll be there” @phone', async ({
  page,
  shop,
}) => {
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
  const { path } = await addVisitPage(shop)
  await page.goto(path)
  await expect(heading(page, 'See you Tuesday at 1:00 PM')).toBeVisible()
  await expect(main(page)).toContainText('Maria Delgado, 2019 Subaru Outback')
  await expect(main(page)).toContainText('Tuesday, November 24, 2026')
  await expect(main(page)).toContainText('Grinding from the front left when cold.')
  await expect(main(page)).toContainText(
    'You can change or cancel here until Tuesday, November 24, 11:00 AM.',
  )
  await expectAccessible(page)
  // Opening the page changes no data, even if the page's scripts run.
  expect(posted).toEqual([])
  await page.getByRole('button', { name: 'I’ll be there' }).click()
  await expect(main(page)).toContainText(
    'Thank you for letting us know that you will come. See you Tuesday.',
  )
  await expect(page.getByRole('button', { name: 'I’ll be there' })).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoWiderThanScreen(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('a customer chooses a new time as on the booking page, by keyboard alone @phone', async ({
  page,
  shop,
}) => {
  const { path } = await addVisitPage(shop)
  await page.goto(path)
  await page.getByRole('link', { name: 'Change time' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Pick a new time')).toBeVisible()
  await expect(main(page)).toContainText('Now: Tuesday, November 24, 1:00 PM')
  await expect(page.getByText('1:00 PM your current time')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Tuesday, November 24, 2026' }).focus()
  // The shop is closed on Sundays, and past days cannot be selected.
  for (const [key, day] of [
    ['ArrowUp', 'Tuesday, November 24'],
    ['ArrowLeft', 'Monday, November 23'],
    ['End', 'Saturday, November 28'],
    ['ArrowDown', 'Saturday, December 5'],
    ['PageUp', 'Monday, November 23'],
    ['PageDown', 'Tuesday, December 1'],
    ['ArrowLeft', 'Monday, November 30'],
    ['ArrowRight', 'Tuesday, December 1'],
    ['ArrowLeft', 'Monday, November 30'],
    ['ArrowUp', 'Monday, November 23'],
    ['ArrowRight', 'Tuesday, November 24'],
    ['ArrowRight', 'Wednesday, November 25'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('button', { name: `${day}, 2026` })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Time on Wednesday, November 25' })).toBeFocused()
  await page.getByRole('button', { name: '11:30 AM' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '11:30 AM' })).toBeFocused()
  await expect(page.getByRole('status')).toContainText('Wed, Nov 25, 11:30 AM')
  // Repeats the check, because a font that loads late moves the end of the page. At the end of the page, the bar with
  // the new time must cover no other element.
  await expect(async () => {
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await expectAccessible(page)
  }).toPass()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoWiderThanScreen(page)
  await page.setViewportSize({ width, height })
  await page.getByRole('button', { name: 'Change to this time' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'See you Wednesday at 11:30 AM')).toBeVisible()
  await expect(page.getByRole('status')).toContainText('Your appointment has a new time.')
  await expect(main(page)).toContainText(
    'You moved it from Tuesday, November 24, 1:00 PM to Wednesday, November 25, 11:30 AM',
  )
  expect(await stateOf(shop)).toBe('confirmed 2026-11-25 11:30:00')
})

test('a customer cancels a booking after a confirmation and with a reason, and restores it, by keyboard alone', async ({
  page,
  shop,
}) => {
  const { path } = await addVisitPage(shop)
  await page.goto(path)
  const press = async (name: string, role: 'button' | 'link' = 'button') => {
    await expect(page.getByRole(role, { name })).toBeFocused()
    await page.keyboard.press('Enter')
  }
  const tab = () => page.keyboard.press('Tab')
  await tab()
  await press('Skip to content', 'link')
  for (const name of [
    'I’ll be there',
    'Change time',
    'Cancel this appointment',
    'Add to calendar',
  ]) {
    await tab()
    await expect(
      main(page).getByText(name, { exact: true }).and(page.locator(':focus, :focus *')),
    ).toBeVisible()
  }
  await page.keyboard.press('Shift+Tab')
  await press('Cancel this appointment', 'link')
  const dialog = page.getByRole('dialog', { name: 'Cancel Tuesday, 1:00 PM?' })
  await expect(dialog).toContainText('Your time becomes available to others. There is no charge')
  await expectAccessible(page)
  await press('Keep my appointment')
  await expect(dialog).toBeHidden()
  await press('Cancel this appointment', 'link')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await press('Cancel this appointment', 'link')
  await tab()
  await press('Cancel appointment')
  await expect(heading(page, 'Cancelled. There is no charge.')).toBeVisible()
  await expect(main(page)).toContainText('Tuesday, November 24, 1:00 PM is free again.')
  await expectNoWiderThanScreen(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Book another time' }).focus()
  await tab()
  await expect(page.getByRole('button', { name: 'Restore Tuesday 1:00 PM' })).toBeFocused()
  await tab()
  await press('Plans changed')
  await expect(main(page)).toContainText('Thank you for telling us the reason.')
  await page.getByRole('link', { name: 'Book another time' }).focus()
  await tab()
  await press('Restore Tuesday 1:00 PM')
  await expect(heading(page, 'See you Tuesday at 1:00 PM')).toBeVisible()
  expect(await stateOf(shop)).toBe('confirmed 2026-11-24 13:00:00')
})

test('a time that another visitor has just booked is reported, with the remaining free times', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/409/)
  const { path } = await addVisitPage(shop)
  await shop.database.query(`delete from bays where name <> 'Bay 1'`)
  await page.goto(`${path}/change?date=2026-11-25&time=11:30`)
  await addDayBooking(shop, { bay: 'Bay 1', time: '15:00', minutes: 60, name: 'Sam Okafor' })
  await shop.database.query(
    `update bookings set appointment_date = '2026-11-25', appointment_time = '11:30'
     where customer_name = 'Sam Okafor'`,
  )
  // The customer now selects 5:00 PM. The notice names the time that another visitor has booked, 11:30 AM.
  await page.getByRole('button', { name: '5:00 PM' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'no longer available' })).toContainText(
    '11:30 AM',
  )
  await page.goto(`${path}/change?date=2026-11-25&time=17:00`)
  await expect(main(page)).not.toContainText('no longer available')
  await shop.database.query(
    `update bookings set appointment_time = '17:00' where customer_name = 'Sam Okafor'`,
  )
  await page.getByRole('button', { name: 'Change to this time' }).click()
  await expect(main(page)).toContainText(
    '5:00 PM is no longer available. Your appointment is still Tuesday, 1:00 PM.',
  )
  await expect(page.getByRole('button', { name: '11:30 AM' })).toBeVisible()
  await expect(page.getByRole('button', { name: '5:00 PM' })).toHaveCount(0)
  await expectNoWiderThanScreen(page)
  await expectAccessible(page)
  expect(await stateOf(shop)).toBe('confirmed 2026-11-24 13:00:00')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a customer can move and cancel a booking on the visit page', async ({ page, shop }) => {
    const { path } = await addVisitPage(shop)
    await page.goto(path)
    await page.getByRole('link', { name: 'Change time' }).click()
    await page.getByRole('button', { name: 'Wednesday, November 25, 2026' }).click()
    await page.getByRole('button', { name: '11:30 AM' }).click()
    await page.getByRole('button', { name: 'Change to this time' }).click()
    await expect(heading(page, 'See you Wednesday at 11:30 AM')).toBeVisible()
    await page.getByRole('link', { name: 'Cancel this appointment' }).click()
    await expect(heading(page, 'Cancel Wednesday, 11:30 AM?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await expect(heading(page, 'Cancelled. There is no charge.')).toBeVisible()
    expect(await stateOf(shop)).toBe('cancelled 2026-11-25 11:30:00')
  })
})

test('the confirmation of a booking links to the visit page', async ({ page, shop }) => {
  await startAt(page, shop)
  await reachDetails(page)
  await fillDetails(page)
  await confirmButton(page).click()
  await page.getByRole('link', { name: 'View or change your appointment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^See you/ })).toBeVisible()
})

test('staff see the customer’s confirmation of the appointment, and can copy the visit link', async ({
  page,
  shop,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/404/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { path } = await addVisitPage(shop)
  await page.goto(path)
  await page.getByRole('button', { name: 'I’ll be there' }).click()
  await expect(main(page)).toContainText('See you Tuesday.')
  await shop.setClock('2026-11-24T12:40:00-08:00')
  await signIn(page)
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await page.getByRole('button', { name: /Maria Delgado/ }).click()
  const panel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await expect(panel.getByText('Will come', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Copy' }).click()
  await expect(
    page.getByText('Link copied. Anyone with this link can move or cancel the appointment.'),
  ).toBeVisible()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(await copied()).pathname).toBe(path)
  await panel.getByRole('button', { name: 'Create new link' }).click()
  await page
    .getByRole('dialog', { name: 'Create new link?' })
    .getByRole('button', { name: 'Create new link' })
    .click()
  await expect.poll(copied).not.toContain(path)
  const renewed = await copied()
  await page.goto(path)
  await expect(main(page)).toContainText("Call (650) 555-0142 and we'll find your appointment.")
  await page.goto(renewed)
  await expect(heading(page, 'See you Tuesday at 1:00 PM')).toBeVisible()
})
