import { emptyDay, fillDay, fixtureDay, resetDay, setPageClock } from './day-records.ts'
import {
  expect,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { clearBookings } from '#tests/browser/shop-records.ts'

const panel = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Returns the emails about a customer's appointments, and the number of entries of a kind in their history. */
async function recordsOf(shop: Shop, name: string, kind: string) {
  const { rows } = await shop.database.query<{ emails: string[]; entries: number }>(
    `select array(select kind from emails where booking_id = any (ids) order by kind) as emails,
       (select count(*)::int from booking_events where booking_id = any (ids) and kind = $2) as entries
     from (select array(select id from bookings where customer_name = $1) as ids) found`,
    [name, kind],
  )
  return rows[0]
}

test.afterEach(async ({ shop }) => {
  await resetDay(shop)
  await shop.setClock(undefined)
})

test('A move of a booking and its email are saved although the tab is closed before the response', async ({
  page,
  context,
  shop,
}) => {
  await emptyDay(shop)
  await signIn(page)
  await fillDay(shop)
  const tab = await context.newPage()
  await setPageClock(tab)
  await tab.goto(`/admin-dashboard/day/${fixtureDay}`)
  await tab
    .getByRole('list', { name: 'Bay 1', exact: true })
    .getByRole('button', { name: /Maria Delgado/ })
    .click()
  await panel(tab, 'Maria Delgado').getByRole('button', { name: 'Move…' }).click()
  const move = panel(tab, 'Move Maria Delgado')
  await move.getByRole('button', { name: /^Friday, November 27, \d+ free/ }).click()
  await move.getByRole('region', { name: 'Bay 2' }).getByRole('button', { name: '9:00 AM' }).click()
  await expect(move.getByLabel(/Email the customer/)).toBeChecked()
  await tab.route('**/api/commands/move-booking', async (route) => {
    await route.fetch()
    await tab.close()
  })
  const closed = tab.waitForEvent('close')
  await move.getByRole('button', { name: 'Move to Fri, 9:00 AM' }).click({ noWaitAfter: true })
  await closed
  expect(await recordsOf(shop, 'Maria Delgado', 'moved')).toEqual({
    emails: ['booking_moved'],
    entries: 1,
  })
})

test('A phone booking whose response was lost is saved again with the same id, and causes only one confirmation email', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/ERR_FAILED/)
  const now = '2026-11-28T10:00:00-08:00'
  await shop.setClock(now)
  await page.clock.setFixedTime(new Date(now))
  await clearBookings(shop)
  await signIn(page)
  await page.goto('/admin-dashboard/appointments?view=calendar&day=2026-11-29')
  await page.getByRole('button', { name: 'Book', exact: true }).press('Enter')
  const form = panel(page, /^Book by phone/)
  await form.getByRole('combobox', { name: 'Who is calling?' }).fill('Jon Bellamy')
  await form.getByRole('option', { name: /^New customer/ }).click()
  await form.getByLabel('Phone').fill('(650) 555-0129')
  await form.getByLabel(/^Email/).fill('jon@customer.example')
  const ids: string[] = []
  await page.route('**/api/commands/book-by-phone', async (route) => {
    ids.push(route.request().postDataJSON().commandId)
    if (ids.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText(
    'Press Save again: the appointment is booked only once.',
  )
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Booked. Jon Bellamy')
  expect(new Set(ids).size).toBe(1)
  expect(ids).toHaveLength(2)
  expect(await recordsOf(shop, 'Jon Bellamy', 'booked')).toEqual({
    emails: ['booking_confirmation'],
    entries: 1,
  })
})
