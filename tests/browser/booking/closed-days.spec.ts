import { chooseService, pickDate, slot, startAt } from './booking-steps.ts'
import {
  expect,
  expectAccessible,
  htmlOf,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'

/* Tests of the pages that visitors see when the database contains closures or a pause of online booking. */

test.beforeEach(({ page, shop }) => startAt(page, shop))
test.afterEach(async ({ page, shop }) => {
  await shop.setClock(undefined)
  await shop.database.query(
    `delete from public.special_hours;
     update public.booking_rules set online_booking_paused = false, invoice_lookup_requires_email = false`,
  )
  await expect.poll(() => htmlOf(page, '/book-appointment')).not.toMatch(/"isPaused":true|Closed /)
})

/**
 * Requests the page until it contains the text, because the server renders the page again only some time after a
 * change.
 */
const expectText = (page: Page, text: string, path = '/') =>
  expect.poll(() => htmlOf(page, path)).toContain(text)

const close = (shop: Shop, from: string, to: string, reason = '', isOpen = false) =>
  shop.database.query(
    'insert into public.special_hours (starts_at, ends_at, reason, is_open) values ($1, $2, $3, $4)',
    [from, to, reason, isOpen],
  )

test('the home page shows the next closure, and the structured data has the special hours', async ({
  page,
  shop,
}) => {
  await close(shop, '2026-11-26', '2026-11-27', 'Thanksgiving Day')
  await close(shop, '2026-12-20T09:00', '2026-12-20T13:00', '', true)
  await expectText(page, 'Closed Thursday, November 26: Thanksgiving Day')
  await page.goto('/')
  const findUs = page.locator('#find-us')
  await expect(findUs).toContainText('Mon–Wed: 11:00 AM – 7:00 PM')
  await expect(findUs).toContainText('Closed Thursday, November 26: Thanksgiving Day')
  await expectAccessible(page, '#find-us')
  const jsonLd = JSON.parse(await page.locator('[type="application/ld+json"]').innerText())
  expect(jsonLd.specialOpeningHoursSpecification[0]).toEqual({
    '@type': 'OpeningHoursSpecification',
    validFrom: '2026-11-26',
    validThrough: '2026-11-26',
    opens: '00:00',
    closes: '00:00',
  })
})

test('the home page shows no opening hours for today on a closed day', async ({ page, shop }) => {
  await shop.setClock('2026-11-26T18:00:00Z')
  await page.clock.setFixedTime(new Date('2026-11-26T18:00:00Z'))
  await close(shop, '2026-11-26', '2026-11-27', 'Thanksgiving Day')
  await expectText(page, 'Closed Thursday, November 26: Thanksgiving Day')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.locator('.opening-hours-today')).toHaveCount(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toContainText('Closed: Thanksgiving Day')
})

test('the calendar disables closed days with a reason, and the times exclude closures @phone', async ({
  page,
  shop,
}) => {
  await close(shop, '2026-11-24', '2026-11-25')
  await close(shop, '2026-11-26', '2026-11-27', 'Thanksgiving Day')
  await close(shop, '2026-11-27T12:00', '2026-11-27T15:00', 'Staff meeting')
  await expectText(page, '2026-11-27', '/book-appointment')
  await chooseService(page)
  const thanksgiving = page.getByRole('button', {
    name: 'Thursday, November 26, 2026, Closed: Thanksgiving Day',
  })
  await expect(thanksgiving).toBeDisabled()
  await expect(
    page.getByRole('button', { name: 'Tuesday, November 24, 2026, Closed', exact: true }),
  ).toBeDisabled()
  await expect(page.getByText('Closed Thursday, November 26: Thanksgiving Day')).toBeVisible()
  await expectAccessible(page)
  await pickDate(page, '2026-11-27')
  await expect(slot(page, '10:30')).toBeVisible()
  await expect(slot(page, '15:00')).toBeVisible()
  for (const time of ['11:00', '12:00', '14:30']) await expect(slot(page, time)).toHaveCount(0)
})

test('a pause of online booking is shown with the phone number instead of the booking form', async ({
  page,
  shop,
}) => {
  const sentence = 'We are moving to a larger shop and are back on Monday.'
  await shop.database.query(
    'update public.booking_rules set online_booking_paused = true, pause_message = $1',
    [sentence],
  )
  await expectText(page, `<p>${sentence}</p>`, '/book-appointment')
  await page.goto('/book-appointment')
  await expect(page.getByRole('heading', { name: 'Online booking is paused' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(sentence)
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Call (650) 555-0142' }),
  ).toHaveAttribute('href', 'tel:+16505550142')
  await expect(page.getByRole('heading', { name: 'Select the Service You Need' })).toHaveCount(0)
  await expectAccessible(page)
})
