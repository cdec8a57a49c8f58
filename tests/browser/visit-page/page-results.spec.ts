import { addDayBooking, emptyDay, resetDay } from '#tests/browser/day/day-records.ts'
import { expect, type Locator, type Page, type Shop, test } from '#tests/browser/fixtures.ts'
import {
  sendTestEstimate,
  resetSentEstimates,
} from '#tests/browser/estimates/sent-estimate-records.ts'
import { addVisitPage, mondayEvening } from './visit-page-steps.ts'

// A screen reader first reads the title of each response and then continues at the element with the focus.
test.use({ expectedConsoleErrors: [/status of (409|422)/] })
test.beforeEach(async ({ shop }) => {
  await emptyDay(shop)
  await shop.setClock(mondayEvening)
})
test.afterEach(async ({ shop }) => {
  await resetSentEstimates(shop)
  await resetDay(shop)
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Expects the result in the page's title, and the focus on the result's message. */
async function expectResult(page: Page, title: string, place: Locator): Promise<void> {
  await expect(page).toHaveTitle(`${title} | Torque & Timing`)
  await expect(place).toBeFocused()
  await expect(place).toBeInViewport({ ratio: 1 })
}

async function changeBooking(page: Page, shop: Shop): Promise<void> {
  const { path } = await addVisitPage(shop)
  const heading = page.getByRole('heading', { level: 1 })
  const notice = page.getByRole('status')
  await page.goto(path)
  await expect(page).toHaveTitle('See you Tuesday at 1:00 PM | Torque & Timing')
  await press(page, 'I’ll be there')
  const thanks = page.getByText('Thank you for letting us know that you will come.')
  await expectResult(page, 'Thank you for letting us know that you will come', thanks)
  await page.getByRole('link', { name: 'Change time' }).click()
  await press(page, 'Wednesday, November 25, 2026')
  const times = page.getByRole('heading', { name: 'Time on Wednesday, November 25' })
  await expectResult(page, 'Pick a new time', times)
  await press(page, '11:30 AM')
  await press(page, 'Change to this time')
  await expectResult(page, 'Your appointment has a new time', notice)
  await page.getByRole('link', { name: 'Cancel this appointment' }).click()
  await press(page, 'Cancel appointment')
  await expectResult(page, 'Cancelled', heading)
  await press(page, 'Plans changed')
  const thanksForReason = page.getByText('Thank you for telling us the reason.')
  await expectResult(page, 'Thank you for telling us the reason', thanksForReason)
  await press(page, 'Restore Wednesday 11:30 AM')
  await expectResult(page, 'Your appointment is restored', notice)
}

async function loseTime(page: Page, shop: Shop): Promise<void> {
  const { id, path } = await addVisitPage(shop)
  await shop.database.query(`delete from bays where name <> 'Bay 1'`)
  const other = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '15:00',
    minutes: 60,
    name: 'Sam Okafor',
  })
  await page.goto(`${path}/change?date=2026-11-25&time=11:30`)
  await shop.database.query(
    `update bookings set appointment_date = '2026-11-25', appointment_time = '11:30' where id = $1`,
    [other],
  )
  const notice = page.getByRole('status').filter({ hasText: /no longer|changed/ })
  await press(page, 'Change to this time')
  await expectResult(page, '11:30 AM is no longer available', notice)
  await page.goto(path)
  await shop.database.query(`update bookings set appointment_time = '14:00' where id = $1`, [id])
  await press(page, 'I’ll be there')
  await expectResult(page, 'This appointment has changed', notice)
}

async function findBookings(page: Page): Promise<void> {
  await page.goto('/visit')
  await expect(page).toHaveTitle('Find my appointment | Torque & Timing')
  const email = page.getByLabel('The email address you booked with')
  await email.fill('dana@')
  await press(page, 'Email me the links')
  await expectResult(page, 'Please enter a valid email address', email)
  await expect(email).toHaveValue('dana@')
  await expect(email).toHaveAccessibleDescription('Please enter a valid email address.')
  await email.fill('dana@customer.example')
  await press(page, 'Email me the links')
  await expectResult(page, 'Check your inbox', page.getByRole('heading', { level: 1 }))
}

async function approveEstimate(page: Page, shop: Shop): Promise<void> {
  await shop.setClock('2026-11-24T15:18:00-08:00')
  const { path } = await sendTestEstimate(shop)
  await page.goto(path)
  await expect(page).toHaveTitle('Your estimate is ready | Torque & Timing')
  const name = page.getByLabel('Type your name to approve')
  await page.getByLabel('I want the replaced parts back').check()
  await page.getByRole('button', { name: /^Approve \$/ }).click()
  await expectResult(page, 'Please type your name', name)
  await expect(name).toHaveAccessibleDescription('Please type your name.')
  await expect(page.getByText('Please type your name.')).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Please type your name.')).toHaveCount(1)
  await expect(page.getByLabel('I want the replaced parts back')).toBeChecked()
  await name.fill('Maria Delgado')
  await page.getByRole('button', { name: /^Approve \$/ }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expectResult(page, 'You approved 1 of 3 jobs', heading)
}

async function declineEstimate(page: Page, shop: Shop): Promise<void> {
  await shop.setClock('2026-11-24T15:18:00-08:00')
  const { path } = await sendTestEstimate(shop)
  await page.goto(`${path}/decline`)
  await expect(page).toHaveTitle('Decline this estimate? | Torque & Timing')
  await press(page, 'Decline')
  const heading = page.getByRole('heading', { level: 1 })
  await expectResult(page, 'You declined this estimate', heading)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with a script' : 'without a script', () => {
    test.use({ javaScriptEnabled })

    test('the result of each change of a booking is the title of the visit page and receives the focus @phone', ({
      page,
      shop,
    }) => changeBooking(page, shop))

    test('the message of each failure is the title of the visit page and receives the focus', ({
      page,
      shop,
    }) => loseTime(page, shop))

    test('the error about an invalid email address in Find my appointment receives the focus @phone', ({
      page,
    }) => findBookings(page))

    test('the error about a missing name below an estimate receives the focus @phone', ({
      page,
      shop,
    }) => approveEstimate(page, shop))

    test('the result of declining an estimate is the title of the page', ({ page, shop }) =>
      declineEstimate(page, shop))
  })
}
