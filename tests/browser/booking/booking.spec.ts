import {
  badNotification,
  expect,
  expectAccessible,
  expectUncovered,
  openDashboard,
  test,
} from '#tests/browser/fixtures.ts'
import {
  bookInOtherWindow,
  bookingsOf,
  chooseService,
  confirmButton,
  expectDetailsRestored,
  expectToast,
  fillDetails,
  pickDate,
  reachDetails,
  slot,
  startAt,
  stepLabel,
  input,
} from './booking-steps.ts'

test.beforeEach(({ page, shop }) => startAt(page, shop))
test.afterEach(({ shop }) => shop.setClock(undefined))

const booked = {
  appointment_date: '2026-11-28',
  appointment_time: '13:30:00',
  customer_name: 'Dana Whitfield',
  customer_email: 'dana@example.com',
  customer_phone: '(650) 555-0167',
  notes: 'Squeals when cold',
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  vehicle_color: 'Green',
  status: 'confirmed',
  service: 'Brake Job',
}

test('a visitor books an appointment in three accessible steps @phone', async ({ page, shop }) => {
  await page.goto('/book-appointment')
  await expect(page.getByRole('heading', { name: 'Choose Your Service', level: 1 })).toBeVisible()
  await expect(stepLabel(page, 1)).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '1')
  await expect(page.getByRole('button', { name: 'Select Brake Job' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Select Brake Job' }).click()
  await expect(page.getByRole('heading', { name: 'Pick Your Time', level: 1 })).toBeVisible()
  await expect(stepLabel(page, 2)).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '2')
  await expect(page.getByRole('heading', { name: 'Choose Your Appointment Time' })).toBeVisible()
  await pickDate(page, '2026-11-28')
  await expect(slot(page, '13:30')).toBeVisible()
  await expectAccessible(page)

  await slot(page, '13:30').click()
  await expect(page.getByRole('heading', { name: 'Confirm Your Booking', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Confirm Your Appointment' })).toBeVisible()
  await expect(stepLabel(page, 3)).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3')
  const details = page.getByRole('complementary', { name: 'Appointment Details' })
  await expect(details).toContainText('Brake Job')
  await expect(details).toContainText('Pads and rotors on one axle')
  await expect(details).toContainText('Saturday, November 28, 2026')
  await expect(details).toContainText('1:30 PM')
  await expectAccessible(page)

  await fillDetails(page)
  await confirmButton(page).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!', level: 1 })).toBeFocused()
  await expectToast(
    page,
    'Booking Confirmed!',
    'Your appointment has been successfully scheduled. Check your email for confirmation details.',
  )
  await expectUncovered(
    page,
    page.getByRole('heading', { name: 'Booking Confirmed!', level: 1 }),
    page.locator('main dl'),
    page.getByRole('button', { name: 'Book Another Appointment' }),
    page.getByRole('link', { name: 'View or change your appointment' }),
    page.getByRole('link', { name: 'Add to calendar' }),
    page.locator('main').getByRole('link', { name: 'Directions' }),
    page.locator('main').getByRole('link', { name: '(650) 555-0142' }),
  )
  const summary = page.locator('main dl')
  await expect(summary).toContainText('Saturday, November 28, 2026')
  await expect(summary).toContainText('1:30 PM')
  await expect(summary).toContainText('Brake Job')
  await expectAccessible(page)
  expect(await bookingsOf(shop)).toEqual([booked])
  expect(page.url().replace(shop.url, '')).not.toMatch(/dana|whitfield|555/i)
})

test.describe('on an iPhone', () => {
  test.use({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1' })

  test('The Directions link opens Apple Maps with a route to the shop', async ({
    page,
    context,
  }) => {
    await page.goto('/book-appointment')
    await reachDetails(page)
    await fillDetails(page)
    await confirmButton(page).click()
    await context.route('https://maps.apple.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Navigation</title>' }),
    )
    const directions = page.locator('main').getByRole('link', { name: 'Directions' })
    await expect(directions).toHaveAttribute('href', /^https:\/\/www\.openstreetmap\.org\//)
    const opened = context.waitForEvent('page')
    await directions.click()
    const navigation = await opened
    await expect(navigation).toHaveURL(/^https:\/\/maps\.apple\.com\/\?daddr=.*Mountain%20View/)
  })
})

test.describe('in a browser in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('the booking page shows dates and times in shop time', async ({ page, shop }) => {
    // At the test's fixed time it is Saturday in Tokyo and Friday morning at the shop.
    await chooseService(page)
    const today = page.getByRole('button', { name: /^Friday, November 20, 2026/ })
    await expect(today).toHaveAttribute('aria-current', 'date')
    await today.click()
    await expect(slot(page, '12:00')).toBeVisible()
    await expect(slot(page, '11:30')).toHaveCount(0)
    await slot(page, '19:30').click()
    await expect(page.getByRole('complementary', { name: 'Appointment Details' })).toContainText(
      'Friday, November 20, 2026',
    )
    await fillDetails(page)
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(page.locator('main dl')).toContainText('7:30 PM')
    expect(await bookingsOf(shop)).toEqual([
      { ...booked, appointment_date: '2026-11-20', appointment_time: '19:30:00' },
    ])
  })
})

test('a browser with a dashboard session books with the rights of a visitor', async ({
  page,
  shop,
}) => {
  await openDashboard(page)
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.endsWith('-auth-token')),
  )
  await reachDetails(page)
  await fillDetails(page)
  await confirmButton(page).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'View or change your appointment' })).toBeVisible()
  const { rows } = await shop.database.query(
    `select event.source, changed_by_name from booking_events event join bookings on bookings.id = booking_id
     where event.kind = 'booked'`,
  )
  expect(rows).toEqual([{ source: 'visitor', changed_by_name: 'visitor' }])
  // The dashboard opens without a login only if the booking has not ended the admin's sign-in session.
  await openDashboard(page)
})

test.describe('navigation between the booking steps', () => {
  test('the Back button of the booking page returns step by step to the home page, and keeps choices and input', async ({
    page,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('heading', { name: 'Pick Your Time' })).toBeVisible()
    await expect(page.getByRole('button', { name: /November 28, 2026/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await slot(page, '15:00').click()
    await expectDetailsRestored(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('heading', { name: 'Choose Your Service' })).toBeVisible()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  test('the browser’s Back and Forward buttons return to the same steps, even after a reload and from another page', async ({
    page,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    await page.goBack()
    await expect(stepLabel(page, 2)).toBeVisible()
    await page.goBack()
    await expect(stepLabel(page, 1)).toBeVisible()
    await page.goForward()
    await page.goForward()
    await expect(stepLabel(page, 3)).toBeVisible()
    await expectDetailsRestored(page)
    await page.reload()
    await expectDetailsRestored(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await expect(page).toHaveURL(/privacy/)
    await page.goBack()
    await expectDetailsRestored(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(stepLabel(page, 2)).toBeVisible()
  })

  test('the booking page opens its first step if the URL names a step for which choices are missing; choosing another date clears the time', async ({
    page,
  }) => {
    await page.goto('/book-appointment?step=details')
    await expect(stepLabel(page, 1)).toBeVisible()
    await expect(page).toHaveURL(/\/book-appointment$/)
    await reachDetails(page)
    await page.goBack()
    await expect(stepLabel(page, 2)).toBeVisible()
    await pickDate(page, '2026-11-27')
    await expect(slot(page, '13:30')).toBeVisible()
    await page.goForward()
    await expect(page).toHaveURL(/step=time$/)
    await expect(stepLabel(page, 2)).toBeVisible()
  })
})

test.describe('submitting the contact details', () => {
  test('the booking form checks its fields in the specified order, shows the error in a toast and a message, and focuses the invalid field', async ({
    page,
    shop,
  }) => {
    await reachDetails(page)
    const wanted = { 'Full Name': 'name', 'Email Address': 'email', 'Phone Number': 'tel' }
    for (const [label, token] of Object.entries(wanted)) {
      await expect(page.getByLabel(label)).toHaveAttribute('autocomplete', token)
    }
    await expect(page.getByText(/Fields marked .* are required/)).toContainText(
      'confirmation email',
    )
    const vehicleMessage = 'Please provide vehicle year, make, and model.'
    const steps = [
      ['Full Name', 'Name Required', 'Please enter your full name.'],
      ['Email Address', 'Valid Email Required', 'Please enter a valid email address.'],
      ['Phone Number', 'Phone Number Required', 'Please enter your phone number.'],
      ['Year', 'Vehicle Details Required', vehicleMessage],
      ['Make', 'Vehicle Details Required', vehicleMessage],
      ['Model', 'Vehicle Details Required', vehicleMessage],
    ] as const
    for (const [label, title, message] of steps) {
      await confirmButton(page).click()
      await expectToast(page, title, message)
      const field = page.getByLabel(label)
      await expect(field).toBeFocused()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(message)
      if (label === 'Email Address') {
        await field.fill('dana.whitfield')
        await confirmButton(page).click()
        await expect(field).toHaveAccessibleDescription(message)
        await expectAccessible(page, 'form')
      }
      await field.fill(input[label])
      await expect(field).not.toHaveAttribute('aria-invalid')
    }
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toMatchObject([{ notes: null, vehicle_color: null }])
  })

  test('the booking form books once despite repeated clicks, shows Confirming..., and is empty for the next booking', async ({
    page,
    shop,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/rest/v1/bookings*', async (route) => {
      await held
      await route.continue()
    })
    await reachDetails(page)
    await fillDetails(page)
    await confirmButton(page).dblclick()
    const busy = page.getByRole('button', { name: 'Confirming...' })
    await expect(busy).toBeDisabled()
    await page.getByLabel('Model').press('Enter')
    release()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
    await page.getByRole('button', { name: 'Book Another Appointment' }).click()
    await expect(page).toHaveURL(/\/$/)
    await reachDetails(page, { time: '15:00' })
    for (const label of Object.keys(input)) await expect(page.getByLabel(label)).toHaveValue('')
  })

  test('the booking form sends exactly the specified fields, causes one confirmation email, and does not book again after the visitor goes back', async ({
    page,
    shop,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    const sent = page.waitForRequest('**/rest/v1/bookings*')
    const sentRequest = page.waitForRequest('**/functions/v1/send-confirmation-email')
    await confirmButton(page).click()
    const request = await sent
    expect(Object.keys(request.postDataJSON())).toEqual([
      'service_id',
      'appointment_date',
      'appointment_time',
      'customer_name',
      'customer_email',
      'customer_phone',
      'notes',
      'vehicle_year',
      'vehicle_make',
      'vehicle_model',
      'vehicle_color',
      'status',
    ])
    expect(new URL(request.url()).search).not.toContain('select')
    expect(request.headers()['prefer'] ?? '').not.toContain('representation')
    expect(request.headers()).toHaveProperty('x-form-token')
    expect(request.headers()['x-form-website']).toBe('')
    // The confirmation request must contain the form token of the booking, because the server responds only to the
    // sender of the form.
    expect((await sentRequest).headers()['x-form-token']).toBe(request.headers()['x-form-token'])
    await expect(page.getByText('Check your email for confirmation details.').first()).toBeVisible()
    const { rows } = await shop.database.query(
      `select count(*)::int as count from public.emails where recipient_email = 'dana@example.com'
         and created_at > now() - interval '1 minute'`,
    )
    expect(rows).toEqual([{ count: 1 }])
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Choose Your Service' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
  })
})

test.describe('problems when a visitor confirms a booking', () => {
  test.use({ expectedConsoleErrors: [/rest\/v1\/bookings|functions\/v1|502/] })

  test('if another visitor has just booked the time, the booking page returns to the free times and keeps all input', async ({
    page,
    shop,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    await bookInOtherWindow(shop, '2026-11-28', '13:00')
    await confirmButton(page).click()
    await expectToast(
      page,
      'Booking Failed',
      'There was an error creating your booking. Please try again.',
    )
    await expect(stepLabel(page, 2)).toBeVisible()
    await expect(page.getByText('1:30 PM on Saturday, November 28, 2026 is taken.')).toBeVisible()
    await expect(slot(page, '14:30')).toBeVisible()
    for (const time of ['12:00', '13:30', '14:00']) await expect(slot(page, time)).toHaveCount(0)
    await expectAccessible(page, 'main')
    await slot(page, '14:30').click()
    await expectDetailsRestored(page)
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(2)
  })

  test('two visitors confirm the same time simultaneously: one books it, the other chooses another time', async ({
    page,
    browser,
    shop,
  }) => {
    const context = await browser.newContext({ baseURL: shop.url })
    const other = await context.newPage()
    await other.clock.setFixedTime(new Date('2026-11-20T18:00:00Z'))
    for (const tab of [page, other]) {
      await reachDetails(tab)
      await fillDetails(tab)
    }
    await Promise.all([confirmButton(page).click(), confirmButton(other).click()])
    const confirmed = (tab: typeof page) => tab.getByRole('heading', { name: 'Booking Confirmed!' })
    const pickAgain = (tab: typeof page) => tab.getByText('is taken.')
    for (const tab of [page, other]) await expect(confirmed(tab).or(pickAgain(tab))).toBeVisible()
    expect((await confirmed(page).count()) + (await confirmed(other).count())).toBe(1)
    expect(await bookingsOf(shop)).toHaveLength(1)
    await context.close()
  })

  test('if the chosen time came within the minimum notice while the booking page was open, the page returns to the later times', async ({
    page,
    shop,
  }) => {
    await reachDetails(page, { date: '2026-11-20', time: '12:00' })
    await fillDetails(page)
    await page.clock.setFixedTime(new Date('2026-11-20T18:00:01Z'))
    await confirmButton(page).click()
    await expectToast(
      page,
      'Notice Required',
      'Appointments must be booked at least 2 hours in advance.',
    )
    await expect(stepLabel(page, 2)).toBeVisible()
    await expect(
      page.getByText('12:00 PM on Friday, November 20, 2026 is now too soon.'),
    ).toBeVisible()
    await expect(slot(page, '12:30')).toBeVisible()
    await expect(slot(page, '12:00')).toHaveCount(0)
    await slot(page, '12:30').click()
    await expectDetailsRestored(page)
    expect(await bookingsOf(shop)).toEqual([])
  })

  test('if the chosen time is within the minimum notice only by the clock of the server, the booking page returns to the later times', async ({
    page,
    shop,
  }) => {
    await reachDetails(page, { date: '2026-11-20', time: '12:00' })
    await fillDetails(page)
    await shop.setClock('2026-11-20T18:05:00Z')
    await confirmButton(page).click()
    await expectToast(
      page,
      'Notice Required',
      'Appointments must be booked at least 2 hours in advance.',
    )
    await expect(stepLabel(page, 2)).toBeVisible()
    await expect(slot(page, '12:00')).toHaveCount(0)
  })

  test('if the shop removed the service during the booking, the booking page returns to the list of services', async ({
    page,
    shop,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    const retire = 'update public.services set is_active = $1 where name = $2'
    await shop.database.query(retire, [false, 'Brake Job'])
    try {
      await confirmButton(page).click()
      await expect(page.getByText('This service is no longer offered.')).toBeVisible()
      await expect(stepLabel(page, 1)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Select Brake Job' })).toHaveCount(0)
    } finally {
      await shop.database.query(retire, [true, 'Brake Job'])
    }
  })

  test('if the shop changes the service during the booking, the booking page states the change before the visitor books', async ({
    page,
    shop,
  }) => {
    const change = 'update public.services set name = $1, duration_minutes = $2 where name = $3'
    await reachDetails(page)
    await fillDetails(page)
    try {
      await shop.database.query(change, ['Brake Service', 90, 'Brake Job'])
      await confirmButton(page).click()
      await expect(page.getByText('This service is now called Brake Service.')).toBeVisible()
      await expect(page.getByLabel('Full Name')).toHaveValue(input['Full Name'])
      await shop.database.query(change, ['Brake Service', 120, 'Brake Service'])
      await confirmButton(page).click()
      await expect(page.getByText('This service now takes 2 hr. Pick a new time')).toBeVisible()
      expect(await bookingsOf(shop)).toEqual([])
      await slot(page, '12:00').click()
      await expect(page.getByLabel('Full Name')).toHaveValue(input['Full Name'])
      await confirmButton(page).click()
      await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    } finally {
      await shop.database.query(change, ['Brake Job', 90, 'Brake Service'])
    }
  })

  test('a booking whose confirmation email fails is shown as booked', async ({ page, shop }) => {
    await page.route('**/functions/v1/send-confirmation-email', (route) =>
      route.fulfill({ status: 502, json: { error: 'down' } }),
    )
    await reachDetails(page)
    await fillDetails(page)
    await confirmButton(page).click()
    const message =
      "Your appointment is confirmed, but we couldn't send the confirmation email. Please save your appointment details."
    await expectToast(page, 'Booking Confirmed', message)
    await expect(badNotification(page)).toHaveCount(0)
    await expect(page.locator('main').getByText(message)).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
    const summary = page.locator('main dl')
    await expect(summary).toContainText('2130 Example Way, Mountain View, CA 94043')
    await expect(summary.getByRole('link', { name: '(650) 555-0142' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'View or change your appointment' })).toBeHidden()
  })

  test('a visitor whose email address is invalid sees links to the visit page and the calendar file, and the street address @phone', async ({
    page,
  }) => {
    await reachDetails(page)
    await fillDetails(page, { 'Email Address': 'dana@two@example.com' })
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(page.locator('main dl')).toContainText('2130 Example Way')
    await expectAccessible(page)
    const calendar = page.getByRole('link', { name: 'Add to calendar' })
    const file = await page.request.get((await calendar.getAttribute('href')) ?? '')
    expect(await file.text()).toContain('BEGIN:VEVENT')
    await page.reload()
    await expect(calendar).toBeVisible()
    await page.getByRole('link', { name: 'View or change your appointment' }).click()
    await expect(page.getByRole('heading', { name: /^See you Saturday/ })).toBeVisible()
  })

  test('the booking form keeps the input when the connection is lost, and the next attempt books the appointment', async ({
    page,
    shop,
  }) => {
    await reachDetails(page)
    await fillDetails(page)
    await page.route(/rest\/v1\/bookings|functions\/v1/, (route) => route.abort())
    await confirmButton(page).click()
    await expectToast(
      page,
      'Booking Failed',
      'There was an error creating your booking. Please try again.',
    )
    await expect(page.getByText("We didn't get a response.")).toBeInViewport()
    await expect(confirmButton(page)).toBeFocused()
    await expectDetailsRestored(page)
    await page.unroute(/rest\/v1\/bookings|functions\/v1/)
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
  })

  test('if the response to a booking was lost, the page finds the booking and shows the confirmation', async ({
    page,
    shop,
  }) => {
    await page.route('**/rest/v1/bookings*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await reachDetails(page)
    await fillDetails(page)
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
  })

  test('if the response to a booking was lost and the check for the booking failed, a second attempt finds the booking', async ({
    page,
    shop,
  }) => {
    await page.route('**/functions/v1/**', (route) => route.abort())
    await page.route('**/rest/v1/bookings*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await reachDetails(page)
    await fillDetails(page)
    await confirmButton(page).click()
    await expect(page.getByText('Your appointment may already be booked.')).toBeVisible()
    await page.unroute('**/functions/v1/**')
    await page.unroute('**/rest/v1/bookings*')
    await confirmButton(page).click()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(await bookingsOf(shop)).toHaveLength(1)
  })
})
