import { addDayBooking, emptyDay, fillDay, resetDay, fixtureDay } from './day-records.ts'
import {
  expect,
  expectAccessible,
  type Page,
  type Shop,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { addEmail, addQuote, clearQuotes } from '#tests/browser/shop-records.ts'

const openToday = async (page: Page) => {
  await page.goto('/admin-dashboard/today')
  await expect(page.getByRole('heading', { name: 'Appointments today' })).toBeVisible()
}
const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const start = (page: Page) => page.getByRole('link', { name: 'Admin Dashboard' })

test.beforeEach(async ({ shop, page }) => {
  // Deletes the payments of earlier tests, because the page lists all payments of the day.
  await shop.database.query(truncateTables('public.payments'))
  await emptyDay(shop)
  await clearQuotes(shop)
  await signIn(page)
})
test.afterEach(async ({ shop }) => {
  await shop.database.query(truncateTables('public.payments'))
  await clearQuotes(shop)
  await resetDay(shop)
})

test('The Today page shows a vehicle in work before the day of its appointment', async ({
  page,
  shop,
}) => {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await shop.database.query(
    `update bookings set appointment_date = '2026-11-27', status = 'in_work' where id = $1`,
    [id],
  )
  await openToday(page)
  const also = page.getByRole('list', { name: 'Also at the shop' })
  await expect(also.getByRole('listitem')).toHaveText([/Nov 27.*Maria Delgado.*Bay 1.*In work/])
  await expect(card(page, 'Appointments today (0)')).toBeVisible()
  await expectAccessible(page)
  await also.getByRole('link').click()
  await expect(page).toHaveURL(/day\/2026-11-27/)
  await expect(page.getByRole('dialog', { name: 'Maria Delgado' })).toContainText('In work')
})

test('The Today page lists waiting customers, and each line links to the page on which staff can help them @phone', async ({
  page,
  shop,
}) => {
  await fillDay(shop)
  const nina = await addQuote(shop, { name: 'Nina Petrov', createdAt: '2026-11-23T17:40:00-08:00' })
  await addEmail(shop, { kind: 'quote_reply', status: 'failed', about: { quoteId: nina } })
  await shop.database.query(`update emails set created_at = '2026-11-24T12:00:00-08:00'`)
  await receive(shop, 49_800)
  await openToday(page)

  await expect(start(page)).toHaveAttribute('aria-current', 'page')
  await expect(start(page)).toHaveAccessibleDescription('Needs attention')
  await expect(page.getByText('Open 11 AM – 7 PM. Closed 2–3 PM: staff meeting.')).toBeVisible()
  await expect(
    page.getByRole('link', { name: /^Free until closing: 4 h in Bay 1, / }),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Needs attention' }).getByRole('link')).toHaveText([
    'Renee Dupont has arrived, Rack is free Arrived 12:22 PM, scheduled for 12:30 PM 18 min',
    'Sam Okafor has no bay Oil Change at 3:30 PM, 30 min in 2 h',
    'Nina Petrov asked for a quote 2015 Honda Accord, Transmission Service 19 h',
    'Reply to Iris Kwan failed Call (650) 555-0197 failed',
  ])
  const appointments = page.getByRole('list', { name: 'Appointments today' })
  await expect(appointments.getByRole('listitem')).toHaveText([
    /11 AM – 12 PM: 1 done, 1 no-show/,
    /Walt Jensen.*Bay 2.*In work/,
    /Ken Morimoto.*In work/,
    /Renee Dupont.*Arrived/,
    'Now, 12:40 PM',
    /Maria Delgado.*Booked/,
    /June Albright/,
    /Sam Okafor.*No bay yet/,
    /Helen Cho/,
  ])
  await expect(card(page, 'Appointments today (8)')).toBeVisible()
  await expect(
    card(page, 'Appointments this week').getByRole('row', { name: /^Tue 24/ }),
  ).toContainText(/8 of \d+, 1 done/)
  await expect(card(page, 'Payments today')).toContainText('$498.00 received, 1 payment')
  await expectAccessible(page)

  await page.getByRole('link', { name: /Sam Okafor has no bay/ }).click()
  await expect(page.getByRole('dialog', { name: 'Sam Okafor' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Sam Okafor' })).toHaveCount(0)
  await expect(page).not.toHaveURL(/booking=/)
  await page.goBack()
  await page.getByRole('link', { name: /Nina Petrov asked for a quote/ }).click()
  await expect(page.getByRole('article', { name: 'Quote request of Nina Petrov' })).toBeFocused()
})

test('A customer who no longer waits disappears from the Today page without a reload, and the dot on the tab Today disappears too', async ({
  page,
  shop,
}) => {
  const renee = await addDayBooking(shop, {
    bay: 'Rack',
    time: '12:30',
    minutes: 75,
    name: 'Renee Dupont',
    state: 'arrived',
  })
  await page.goto('/admin-dashboard')
  await start(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Renee Dupont has arrived')).toBeVisible()
  await expect(start(page)).toHaveAccessibleDescription('Needs attention')
  await shop.database.query(`update bookings set status = 'in_work' where id = $1`, [renee])
  await expect(page.getByText('You’re all caught up.')).toBeVisible()
  await expect(start(page)).toHaveAccessibleDescription('')
  await expect(page.getByRole('link', { name: /Renee Dupont/ })).toContainText('In work')

  await addQuote(shop, { name: 'Nina Petrov', createdAt: '2026-11-23T17:40:00-08:00' })
  await page.reload()
  await page.getByRole('link', { name: /Nina Petrov asked for a quote/ }).click()
  await expect(start(page)).toHaveAccessibleDescription('Needs attention')
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(start(page)).toHaveAccessibleDescription('')
  await page.goto('/admin-dashboard')
  await expect(page.getByRole('tab', { name: 'Appointments' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('An unpaid invoice is overdue by the date in the shop’s time zone, and its line on the Today page opens the panel Take payment', async ({
  page,
  shop,
}) => {
  const number = await bill(page, shop)
  await addDayBooking(shop, { bay: 'Bay 1', time: '16:00', minutes: 30, name: 'Dana Whitfield' })
  await openToday(page)
  const unpaidInvoice = page.getByRole('link', {
    name: new RegExp(`Dana Whitfield, invoice ${number}`),
  })
  await expect(unpaidInvoice).toContainText('$50.00')
  await expect(card(page, 'Payments today')).toContainText('$50.00 expected today')
  await expect(page.getByRole('link', { name: /^Expected, 1 invoice/ })).toBeVisible()
  await unpaidInvoice.click()
  const panel = page.getByRole('dialog', { name: `Take payment Dana Whitfield, ${number}` })
  await expect(panel).toContainText('$50.00')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(unpaidInvoice).toBeFocused()
})

test('A section of the Today page that cannot be loaded shows an error with a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/500/)
  // The test disables live events, because a live event would refetch the list before the test acts on the old list.
  await withoutLiveEvents(page)
  const reading = '**/rpc/read_today'
  await page.route(reading, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/admin-dashboard/today')
  await expect(page.getByText('Today could not be loaded.')).toBeVisible()
  await page.unroute(reading)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No appointments yet.')).toBeVisible()
  await expect(card(page, 'Payments today')).toContainText('expected today')
  // If the page refetches a section while the browser is offline, the request fails, and the browser logs the error.
  expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await expect(page.getByText(/^No connection\. Showing /)).toBeVisible()
  await page.context().setOffline(false)
})

async function receive(shop: Shop, cents: number): Promise<void> {
  await shop.database.query(
    `insert into payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at)
     values ('in_story', gen_random_uuid()::text, $1, 'usd', 'payment', 'card_online', $2::date + interval '20 hours')`,
    [cents, fixtureDay],
  )
}

/** Creates an invoice of $50 for Dana, who has an appointment on `fixtureDay`; returns its number. */
async function bill(page: Page, shop: Shop): Promise<string> {
  const response = await page.request.post(`${shop.url}/api/invoice/create`, {
    data: {
      customer: { name: 'Dana Whitfield', email: 'dana@customer.example', phone: '' },
      lineItems: [{ description: 'Brake pads', amount: '50', quantity: 1 }],
      memo: '',
      dueDays: 7,
      sendEmail: false,
      currency: 'usd',
    },
  })
  const { invoice } = (await response.json()) as { invoice: { number: string } }
  return invoice.number
}
