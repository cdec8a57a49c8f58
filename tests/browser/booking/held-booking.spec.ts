import {
  expect,
  expectAccessible,
  htmlOf,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import {
  confirmButton,
  expectDetailsRestored,
  expectToast,
  fillDetails,
  reachDetails,
  startAt,
} from './booking-steps.ts'
import { addBooking } from '#tests/browser/shop-records.ts'

test.beforeEach(({ page, shop }) => startAt(page, shop))
test.afterEach(({ shop }) => shop.setClock(undefined))

/** Books without a form token, as an automated sender does. */
async function bookWithoutToken(page: Page): Promise<void> {
  await page.route('**/api/form-token', (route) => route.fulfill({ json: { ok: false } }))
  await reachDetails(page)
  await fillDetails(page)
  await confirmButton(page).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByText('One more step')).toBeVisible()
}

/** Returns the path of the link in the email that asks the customer to confirm the booking. */
async function mailedPath(shop: Shop): Promise<string> {
  const { rows } = await shop.database.query<{ text_body: string }>(
    `select text_body from emails where kind = 'confirmation_request'`,
  )
  const link = /https?:\/\/\S+\/visit\/\S+/.exec(rows[0]?.text_body ?? '')?.[0]
  if (!link || rows.length !== 1) throw new Error('Expected exactly one email with one link.')
  return new URL(link).pathname
}

const confirmIt = (page: Page) => page.getByRole('button', { name: 'Confirm Appointment' })

test('a booking that looks automated is confirmed by a link in its email @phone', async ({
  page,
  shop,
}) => {
  await bookWithoutToken(page)
  await expectToast(
    page,
    'Booking Confirmed!',
    'Your appointment has been successfully scheduled. Check your email for confirmation details.',
  )
  const lastStep = page.getByRole('main').getByRole('status')
  await expect(lastStep).toContainText('Open the email we just sent you and confirm by 10:30 AM.')
  await expectAccessible(page)
  await page.reload()
  await expect(lastStep).toContainText('confirm by 10:30 AM')

  await page.goto(await mailedPath(shop))
  await expect(
    page.getByRole('heading', { level: 1, name: 'Please confirm your appointment' }),
  ).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Saturday, November 28, 2026')
  await expect(page.getByRole('main')).toContainText('1:30 PM shop time')
  await expect(page).toHaveTitle(/^Please confirm your appointment [|]/)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  await confirmIt(page).click()
  await expect(page.getByRole('heading', { name: 'See you Saturday at 1:30 PM' })).toBeVisible()
  await expect(page.getByText('Your appointment is confirmed.')).toBeVisible()
  await expect(confirmIt(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('a customer who confirms a held booking after its time was taken sees a message and a link to book another time', async ({
  page,
  shop,
}) => {
  await bookWithoutToken(page)
  const path = await mailedPath(shop)
  await page.goto(path)
  await shop.setClock('2026-11-20T18:31:00Z')
  await shop.database.query('select internal.end_expired_holds()')
  await addBooking(shop, {
    date: '2026-11-28',
    time: '13:30:00',
    name: 'Robin',
    service: 'Brake Job',
  })
  await confirmIt(page).click()
  await expect(
    page.getByRole('heading', { name: 'This time is no longer available' }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Book another time' }).click()
  await expect(page.getByRole('heading', { name: 'Choose Your Service' })).toBeVisible()
})

test('an incomplete link to confirm a booking is refused', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/404/)
  await bookWithoutToken(page)
  const path = await mailedPath(shop)
  await page.goto(path.slice(0, -3))
  await expect(page.getByRole('main')).toContainText(
    /This link is not valid\.\s*Call \(650\) 555-0142 and we'll find your appointment\./,
  )
})

test('a held booking whose confirmation email fails shows the phone number and the deadline', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/502/)
  await page.route('**/functions/v1/send-confirmation-email', (route) =>
    route.fulfill({
      status: 502,
      json: { error: 'down', confirmBy: '2026-11-20T18:30:00+00:00' },
    }),
  )
  await bookWithoutToken(page)
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    "Call (650) 555-0142 by 10:30 AM and we'll confirm it.",
  )
})

test('a message is shown when too many bookings are held for confirmation, and the input is kept', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400/)
  for (let nth = 0; nth < 10; nth += 1) {
    await addBooking(shop, {
      date: `2026-12-0${1 + Math.floor(nth / 5)}`,
      time: `${11 + (nth % 5)}:00:00`,
      name: 'Robot',
      flagged: ['form_token_missing'],
      heldUntil: '2026-11-20T18:30:00Z',
    })
  }
  await page.route('**/api/form-token', (route) => route.fulfill({ json: { ok: false } }))
  await reachDetails(page)
  await fillDetails(page)
  await confirmButton(page).click()
  await expectToast(
    page,
    'Booking Failed',
    'There was an error creating your booking. Please try again.',
  )
  await expect(page.getByText('We cannot take this booking online right now.')).toBeVisible()
  await expect(page.getByText('Call (650) 555-0142 to book by phone right away')).toBeVisible()
  await expectDetailsRestored(page)
})

test('a pause of online booking that begins while a visitor fills in the form is shown, and the input is kept', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource|TT016/)
  await reachDetails(page)
  await fillDetails(page)
  const pause = async (isPaused: boolean) => {
    await shop.database.query(
      `update booking_rules set online_booking_paused = $1, pause_message = 'Back on Monday.'`,
      [isPaused],
    )
    // Waits until the booking page from the server contains the new value of `isPaused`, so that no later test sees the
    // pause.
    await expect.poll(() => htmlOf(page, '/book-appointment')).toContain(`"isPaused":${isPaused}`)
  }
  await pause(true)
  await confirmButton(page).click()
  await expect(page.getByText('We cannot take this booking online right now.')).toBeVisible()
  await expectDetailsRestored(page)
  await pause(false)
})

test('a visitor whose booking does not look automated sees no text about a hold', async ({
  page,
  shop,
}) => {
  await reachDetails(page)
  await fillDetails(page)
  await confirmButton(page).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status')).toBeEmpty()
  const { rows } = await shop.database.query('select held_until, flagged_reasons from bookings')
  expect(rows).toEqual([{ held_until: null, flagged_reasons: [] }])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor confirms a held booking with the button on its visit page, and follows the link to the home page', async ({
    page,
    shop,
  }) => {
    const id = await addBooking(shop, {
      date: '2026-11-28',
      time: '13:30:00',
      name: 'Dana Whitfield',
      flagged: ['form_token_missing'],
      heldUntil: '2026-11-20T18:30:00Z',
    })
    const { rows } = await shop.database.query<{ token: string }>(
      'select public.visit_page_token($1) as token',
      [id],
    )
    await page.goto(`/visit/${rows[0]?.token}`)
    await confirmIt(page).click()
    await expect(page.getByText('Your appointment is confirmed.')).toBeVisible()
    await page
      .getByRole('link', { name: /Torque/ })
      .first()
      .click()
    await expect(page).toHaveURL('/')
  })
})
