import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, notification, type Page, test } from '#tests/browser/fixtures.ts'
import {
  bookInOtherWindow,
  chooseService,
  expectToast,
  pickDate,
  slot,
  startAt,
  stepLabel,
} from './booking-steps.ts'

test.beforeEach(({ page, shop }) => startAt(page, shop))
test.afterEach(({ shop }) => shop.setClock(undefined))

const day = (text: string) => new RegExp(`^${text}, 2026`)
const availableTimes = (page: Page) => page.getByRole('region', { name: 'Available Times' })
const availability = '**/rest/v1/rpc/is_time_slot_available'

/**
 * Opens the booking page by a link of the home page. The HTML of the home page contains no services, so the booking
 * page has to request them.
 */
async function openFromHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('main').getByRole('link', { name: 'Book Appointment' }).first().click()
}

test.describe('choosing a service', () => {
  test('the booking page shows the services in order with duration and icon, and a link for other requests', async ({
    page,
  }) => {
    await page.goto('/book-appointment')
    await expect(page.getByRole('heading', { name: 'Select the Service You Need' })).toBeVisible()
    const cards = page.getByRole('article')
    await expect(cards.getByRole('heading')).toHaveText([
      'Oil Change',
      'Brake Job',
      'Multipoint Inspection',
      'Tune-Up',
      'Pre-Purchase Inspection',
      'A/C Service',
      'Battery Test',
      'Engine Diagnostics',
      'Scheduled Maintenance',
      'Tire Rotation and Alignment',
      'Transmission Service',
    ])
    await expect(cards.nth(1)).toContainText('1 hr 30 min')
    const icons = await cards.locator('svg').evaluateAll((all) => all.map((icon) => icon.innerHTML))
    expect(new Set(icons.slice(0, 4)).size).toBe(4)
    expect(icons[2]).toBe(icons[5])
    const special = page.getByRole('complementary', { name: 'Special requests' })
    await expect(special.getByRole('link').first()).toHaveAttribute('href', /^mailto:/)
    await expect(special.getByRole('link').last()).toHaveAttribute('href', /^tel:/)
  })

  test('the booking page shows the services of its initial HTML until the REST API returns the services, and also when that request fails', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/rest\/v1\/services/)
    let fail = () => {}
    const held = new Promise<void>((resolve) => (fail = resolve))
    const failed = page.waitForResponse('**/rest/v1/services*')
    await page.route('**/rest/v1/services*', async (route) => {
      await held
      await route.fulfill({ status: 500, json: {} })
    })
    await page.goto('/book-appointment')
    await expect(page.getByRole('button', { name: 'Select Oil Change' })).toBeVisible()
    await expect(page.getByTestId('service-skeleton')).toHaveCount(0)
    fail()
    await failed
    await page.getByRole('button', { name: 'Select Oil Change' }).click()
    await expect(page.getByRole('heading', { name: 'Pick Your Time' })).toBeVisible()
  })

  test('the booking page shows a service that the shop has added since the HTML was sent', async ({
    page,
  }) => {
    await page.route('**/rest/v1/services*', async (route) => {
      const response = await route.fetch()
      const services = (await response.json()) as object[]
      await route.fulfill({ json: [{ ...services[0], id: randomUUID(), name: 'Oil Bath' }] })
    })
    await page.goto('/book-appointment')
    await expect(page.getByRole('button', { name: 'Select Oil Bath' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Select Oil Change' })).toHaveCount(0)
  })

  test('the booking page shows three placeholders while the services load after navigation from another page', async ({
    page,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/rest/v1/services*', async (route) => {
      await held
      await route.continue()
    })
    await openFromHome(page)
    await expect(page.getByTestId('service-skeleton')).toHaveCount(3)
    release()
    await expect(page.getByRole('button', { name: 'Select Oil Change' })).toBeVisible()
    await expect(page.getByTestId('service-skeleton')).toHaveCount(0)
  })

  test('the booking page shows a message when the shop offers no services', async ({ page }) => {
    await page.route('**/rest/v1/services*', (route) => route.fulfill({ json: [] }))
    await page.goto('/book-appointment')
    await expect(page.getByText('No Services Available')).toBeVisible()
    await expect(page.getByText('Please check back later or contact us directly.')).toBeVisible()
    await expectAccessible(page)
  })

  test.describe('when the request for the services fails', () => {
    test.use({ expectedConsoleErrors: [/rest\/v1\/services/] })

    test('the booking page shows an error and a retry button instead of the services', async ({
      page,
    }) => {
      await page.route('**/rest/v1/services*', (route) => route.fulfill({ status: 500, json: {} }))
      await openFromHome(page)
      await expectToast(page, 'Error', 'Failed to load services. Please try again.')
      await expectAccessible(page, 'main')
      await page.unroute('**/rest/v1/services*')
      await page.getByRole('button', { name: 'Try Again' }).click()
      await expect(page.getByRole('button', { name: 'Select Oil Change' })).toBeVisible()
    })
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the HTML of the booking page lists the services with their prices', async ({ page }) => {
    await page.goto('/book-appointment')
    await expect(page.getByRole('heading', { name: 'Oil Change' })).toBeVisible()
    await expect(page.getByTestId('service-skeleton')).toHaveCount(0)
  })
})

test.describe('choosing a date', () => {
  test('the booking calendar shows opening hours and minimum notice, starts weeks with Sunday, and enables only today and the next 30 days', async ({
    page,
  }) => {
    await chooseService(page)
    await expect(page.getByRole('heading', { name: 'Select a Date', exact: true })).toBeVisible()
    await expect(page.locator('main')).toContainText(
      'Soft Opening Hours: Mon–Wed: 11:00 AM – 7:00 PM; Thu–Sun: 8:30 AM – 9:00 PM',
    )
    await expect(page.locator('main')).toContainText(
      'We require at least 2 hours notice for new bookings. Same-day slots within that window will be hidden.',
    )
    await expect(page.getByRole('columnheader')).toHaveText([
      'Sun',
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
    ])
    await expect(page.getByText('November 2026', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: day('Thursday, November 19') })).toBeDisabled()
    await expect(page.getByRole('button', { name: day('Friday, November 20') })).toBeEnabled()
    await expect(page.getByRole('grid').getByRole('button', { disabled: false })).toHaveCount(11)
    await expect(page.getByRole('button', { name: 'Previous month' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.getByRole('button', { name: 'Next month' }).click()
    await expect(page.getByText('December 2026', { exact: true })).toBeVisible()
    await expect(page.getByRole('grid').getByRole('button', { disabled: false })).toHaveCount(20)
    await expect(page.getByRole('button', { name: day('Sunday, December 20') })).toBeEnabled()
    await expect(page.getByRole('button', { name: day('Monday, December 21') })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Next month' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  })

  test('the booking calendar can be used by keyboard, and the focus never leaves the bookable days', async ({
    page,
  }) => {
    await chooseService(page)
    const focused = page.locator(':focus')
    const keys: [string, string][] = [
      ['ArrowLeft', 'Friday, November 20'],
      ['ArrowUp', 'Friday, November 20'],
      ['ArrowRight', 'Saturday, November 21'],
      ['ArrowDown', 'Saturday, November 28'],
      ['Home', 'Sunday, November 22'],
      ['End', 'Saturday, November 28'],
      ['ArrowRight', 'Sunday, November 29'],
      ['ArrowDown', 'Sunday, December 6'],
      ['PageDown', 'Sunday, December 20'],
      ['ArrowRight', 'Sunday, December 20'],
      ['PageUp', 'Friday, November 20'],
    ]
    await page.getByRole('grid').locator('button[tabindex="0"]').focus()
    for (const [key, name] of keys) {
      await page.keyboard.press(key)
      await expect(focused).toHaveAccessibleName(day(name))
    }
    await expect(page.getByRole('grid').locator('button[tabindex="0"]')).toHaveCount(1)
  })

  test('the booking calendar marks the next day as today after midnight at the shop while the page is open', async ({
    page,
    shop,
  }) => {
    await shop.setClock('2026-11-21T07:59:00Z')
    await page.clock.setFixedTime(new Date('2026-11-21T07:59:00Z'))
    await chooseService(page)
    await expect(page.getByRole('button', { name: day('Friday, November 20') })).toBeEnabled()
    await page.clock.setFixedTime(new Date('2026-11-21T08:00:00Z'))
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByRole('button', { name: day('Friday, November 20') })).toBeDisabled()
    await expect(page.getByRole('button', { name: day('Saturday, November 21') })).toHaveAttribute(
      'aria-current',
      'date',
    )
  })
})

test.describe('choosing a time', () => {
  test('the available times appear after a date is chosen, in two columns for each part of the day', async ({
    page,
    shop,
  }) => {
    await bookInOtherWindow(shop, '2026-11-28', '09:30')
    await chooseService(page)
    await expect(page.getByText('Please select a date first')).toBeVisible()
    await pickDate(page, '2026-11-28')
    await expect(page.getByRole('group', { name: 'Morning' }).getByRole('button')).toHaveText([
      '11:00 AM',
      '11:30 AM',
    ])
    await expect(page.getByRole('group', { name: 'Afternoon' }).getByRole('button')).toHaveCount(10)
    await expect(
      page.getByRole('group', { name: 'Evening' }).getByRole('button').last(),
    ).toHaveText('7:30 PM')
    const [left, right] = await page
      .getByRole('group', { name: 'Morning' })
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.getBoundingClientRect()))
    expect(left?.top).toBe(right?.top)
    expect(left?.width).toBe(right?.width)
  })

  test('the list of available times receives the focus and announces the number of free times, which the calendar also shows', async ({
    page,
  }) => {
    await chooseService(page)
    await pickDate(page, '2026-11-28')
    await expect(page.getByRole('heading', { name: 'Available Times' })).toBeFocused()
    await expect(
      page.getByRole('status').filter({ hasText: '23 times free on Saturday, November 28, 2026' }),
    ).toBeAttached()
    await expect(
      page.getByRole('button', { name: 'Saturday, November 28, 2026, 23 times free' }),
    ).toHaveAttribute('aria-pressed', 'true')
  })

  test('the list of available times shows four placeholders while the requests, one for each slot, are running', async ({
    page,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const requests: unknown[] = []
    await page.route(availability, async (route) => {
      requests.push(route.request().postDataJSON())
      await held
      await route.continue()
    })
    await chooseService(page)
    await pickDate(page, '2026-11-23')
    await expect(availableTimes(page).locator('div[aria-hidden=true]')).toHaveCount(4)
    release()
    await expect(slot(page, '17:30')).toBeVisible()
    const times = Array.from({ length: 14 }, (_, index) => {
      const minute = 660 + index * 30
      return `${Math.floor(minute / 60)}:${minute % 60 === 0 ? '00' : '30'}:00`
    })
    expect(requests).toHaveLength(14)
    expect(requests).toEqual(
      expect.arrayContaining(
        times.map((booking_time) => ({
          service_duration: 90,
          booking_date: '2026-11-23',
          booking_time,
          service: expect.any(String) as unknown,
        })),
      ),
    )
  })

  test('the list of available times shows a message when no time is left', async ({ page }) => {
    await page.route(availability, (route) => route.fulfill({ json: false }))
    await chooseService(page)
    await pickDate(page, '2026-11-28')
    await expect(
      page.getByText('No available slots on Saturday, November 28, 2026', { exact: true }),
    ).toBeVisible()
    await expect(page.getByText('Try selecting a different date')).toBeVisible()
    await expectAccessible(page)
  })

  test('the list of available times omits slots within the minimum notice, and removes slots that come within the notice while the page is open', async ({
    page,
  }) => {
    await chooseService(page)
    await pickDate(page, '2026-11-20')
    await expect(slot(page, '12:00')).toBeVisible()
    await expect(slot(page, '11:30')).toHaveCount(0)
    await page.clock.setFixedTime(new Date('2026-11-20T18:00:01Z'))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(slot(page, '12:00')).toHaveCount(0)
    await expect(slot(page, '12:30')).toBeVisible()
  })

  test('the list of available times ignores a late response for the date that was chosen before', async ({
    page,
    shop,
  }) => {
    await bookInOtherWindow(shop, '2026-11-28', '13:30')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(availability, async (route) => {
      if (route.request().postDataJSON().booking_date === '2026-11-27') await held
      await route.continue().catch(() => {})
    })
    await chooseService(page)
    await pickDate(page, '2026-11-27')
    await pickDate(page, '2026-11-28')
    await expect(slot(page, '15:00')).toBeVisible()
    release()
    // Waits for the response to a new request, which arrives after the delayed response about November 27.
    await page.evaluate(async () => (await fetch('/healthz')).text())
    await expect(slot(page, '15:00')).toBeVisible()
    await expect(slot(page, '13:30')).toHaveCount(0)
    await expect(availableTimes(page)).toContainText('Saturday, November 28, 2026')
  })

  test('the available times depend on the duration of the service', async ({ page, shop }) => {
    await bookInOtherWindow(shop, '2026-11-28', '13:30')
    await chooseService(page, 'Tune-Up')
    await pickDate(page, '2026-11-28')
    await expect(slot(page, '11:30')).toBeVisible()
    await expect(slot(page, '12:00')).toHaveCount(0)
    await expect(slot(page, '19:00')).toBeVisible()
    await expect(slot(page, '19:30')).toHaveCount(0)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Select Battery Test' }).click()
    await expect(slot(page, '13:00')).toBeVisible()
    await expect(slot(page, '20:30')).toBeVisible()
  })

  test.describe('when requests for slots fail', () => {
    test.use({ expectedConsoleErrors: [/is_time_slot_available/] })

    test('a slot whose request failed is not shown, and the other free slots are shown', async ({
      page,
    }) => {
      await page.route(availability, (route) =>
        route.request().postDataJSON().booking_time === '13:30:00'
          ? route.fulfill({ status: 500, json: {} })
          : route.continue(),
      )
      await chooseService(page)
      await pickDate(page, '2026-11-28')
      await expect(slot(page, '13:00')).toBeVisible()
      await expect(slot(page, '13:30')).toHaveCount(0)
      await expect(notification(page)).toHaveCount(0)
    })

    test('a date shows an error with a retry button when the requests for all of its slots failed', async ({
      page,
    }) => {
      await page.route(availability, (route) => route.abort())
      await chooseService(page)
      await pickDate(page, '2026-11-28')
      await expectToast(page, 'Error', 'Failed to check availability. Please try again.')
      await page.unroute(availability)
      await page.getByRole('button', { name: 'Try Again' }).click()
      await expect(slot(page, '13:30')).toBeVisible()
    })
  })
})

test('all steps of the booking work by keyboard alone', async ({ page, shop }) => {
  await page.goto('/book-appointment')
  await page.getByRole('button', { name: 'Select Oil Change' }).waitFor()
  const tabTo = async (name: string | RegExp) => {
    const focused = page.locator(':focus')
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      const label = await focused.evaluate(
        (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
      )
      if (typeof name === 'string' ? label === name : name.test(label)) return
    }
    throw new Error(`Tab does not reach ${name}.`)
  }
  await tabTo('Select Brake Job')
  await page.keyboard.press('Enter')
  await expect(stepLabel(page, 2)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pick Your Time' })).toBeFocused()
  await tabTo(/^Friday, November 20/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(page.getByRole('heading', { name: 'Available Times' })).toBeFocused()
  await expect(slot(page, '08:30')).toBeVisible()
  await tabTo('1:30 PM')
  await page.keyboard.press('Enter')
  await expect(stepLabel(page, 3)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Confirm Your Booking' })).toBeFocused()
  const responses = [
    'Dana Whitfield',
    'dana@example.com',
    '555-0167',
    '',
    '2019',
    'Subaru',
    'Outback',
    'Green',
  ]
  const fields = page.getByRole('main').getByRole('textbox')
  await expect(fields).toHaveCount(responses.length)
  for (let presses = 0; presses < 20; presses += 1) {
    if (await fields.first().evaluate((field) => field === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  for (const response of responses) {
    await page.keyboard.type(response)
    await page.keyboard.press('Tab')
  }
  await expect(page.getByRole('button', { name: 'Confirm Appointment' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeFocused()
  const { rows } = await shop.database.query(
    'select appointment_date::text as date, appointment_time::text as time from public.bookings',
  )
  expect(rows).toEqual([{ date: '2026-11-27', time: '13:30:00' }])
})

test('no step of the booking is wider than a screen of 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await page.goto('/book-appointment')
  await page.getByRole('button', { name: 'Select Brake Job' }).waitFor()
  expect(await overflow()).toBe(0)
  await page.getByRole('button', { name: 'Select Brake Job' }).click()
  await pickDate(page, '2026-11-28')
  await expect(slot(page, '13:30')).toBeVisible()
  expect(await overflow()).toBe(0)
  await slot(page, '13:30').click()
  await expect(stepLabel(page, 3)).toBeVisible()
  expect(await overflow()).toBe(0)
})
