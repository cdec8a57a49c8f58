import { expect, expectAccessible, type Page, signIn, test } from '#tests/browser/fixtures.ts'
import { addBooking, addQuote, clearBookings, clearQuotes } from '#tests/browser/shop-records.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

const tables = ['public.tasks', 'public.invoices'] as const

test.beforeEach(async ({ shop, page }) => {
  await clearBookings(shop)
  await clearQuotes(shop)
  await shop.database.query(truncateTables(...tables))
  await signIn(page)
})
test.afterEach(({ shop }) => shop.database.query(truncateTables(...tables)))

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

test('The tabs of the dashboard show the number of open items, and follow changes that other users make @phone', async ({
  page,
  shop,
}) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/count_open_work')) requests.push(request.url())
  })
  const hears = page.waitForResponse('**/api/admin/live')
  await page.goto('/admin-dashboard/quotes')
  await hears
  const described = async (name: string, description: string) =>
    expect(tab(page, name)).toHaveAccessibleDescription(description)
  for (const name of ['Appointments', 'Task Management', 'Quote Requests', 'Invoices']) {
    await described(name, '')
  }
  expect(requests).toHaveLength(1)

  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  await described('Appointments', '1 open today')
  await shop.database.query(`insert into tasks (title) values ('Front brakes'), ('Order pads')`)
  await described('Task Management', '2 open')
  await expect(tab(page, 'Task Management')).toHaveText('Task Management2')
  await addQuote(shop, { name: 'Nina Petrov' })
  await described('Quote Requests', '1 pending')
  await shop.database.query(
    `insert into invoices (invoice_id, customer_name, total_cents, currency, status, created_at)
     values ('in_bar', 'Nina Petrov', 5000, 'usd', 'open', now())`,
  )
  await described('Invoices', '1 unpaid')
  await expectAccessible(page)

  await shop.database.query(`update tasks set status = 'cancelled' where title = 'Order pads'`)
  await described('Task Management', '1 open')
  await shop.database.query('delete from quote_requests')
  await described('Quote Requests', '')
  await shop.database.query(`update invoices set status = 'paid'`)
  await described('Invoices', '')
})
