import { shopToday } from '#domain/calendar/shop-time.ts'
import {
  expect,
  expectAccessible,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { makeInvoice } from '#tests/browser/payment/payment-steps.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'
import { clearInvoices } from './invoice-records.ts'
import { button, panel } from './take-payment-steps.ts'

test.afterEach(async ({ shop }) => {
  await clearInvoices(shop)
  await clearBookings(shop)
})

const bookingPanel = (page: Page) => page.getByRole('dialog', { name: 'June Albright' })

/** Adds a booking of June Albright, whose vehicle staff already work on, and opens the panel of the booking. */
async function openBooking(page: Page, shop: Shop, hasInvoice: boolean): Promise<string> {
  await clearInvoices(shop)
  const id = await addBooking(shop, { time: '14:30', name: 'June Albright', status: 'in_work' })
  await signIn(page)
  if (hasInvoice) {
    const number = await makeInvoice(page)
    const link = 'update invoices set booking_id = $1 where number = $2'
    await shop.database.query(link, [id, number])
  }
  await page.goto(`/admin-dashboard/day/${shopToday(new Date())}?booking=${id}`)
  await expect(bookingPanel(page)).toBeVisible()
  return id
}

test('The panel of a booking with an unpaid invoice has Take payment as its main button instead of Complete @phone', async ({
  page,
  shop,
}) => {
  await openBooking(page, shop, true)
  const take = bookingPanel(page).getByRole('button', { name: 'Take payment, $549.50' })
  await expect(take).toHaveClass(/strong/)
  await expect(bookingPanel(page).getByRole('button', { name: 'Complete' })).not.toHaveClass(
    /strong/,
  )
  await expectAccessible(page)
  await take.press('Enter')
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('c')
  await expect(button(page, 'Take $549.50 in cash')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Paid in full.')
  await button(page, 'Done').click()
  await expect(panel(page)).toBeHidden()
  await expect(take).toBeHidden()
  await expect(bookingPanel(page).getByRole('button', { name: 'Complete' })).toHaveClass(/strong/)
})

test('The P key opens Take payment beside the day while the panel of a booking is open, and closing Take payment returns the focus', async ({
  page,
  shop,
}) => {
  await openBooking(page, shop, true)
  await expect(bookingPanel(page).getByRole('button', { name: /^Take payment/ })).toBeVisible()
  const close = bookingPanel(page).getByRole('button', { name: 'Close' })
  await close.focus()
  await page.keyboard.press('p')
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(close).toBeFocused()
})

test('The panel of a booking without an invoice offers no payment', async ({ page, shop }) => {
  await openBooking(page, shop, false)
  await expect(bookingPanel(page).getByRole('button', { name: 'Complete' })).toHaveClass(/strong/)
  await expect(bookingPanel(page).getByText('First appointment.')).toBeVisible()
  await expect(bookingPanel(page).getByText(/Take payment|Create invoice/)).toHaveCount(0)
})

test('After the approval of the estimate, the panel of a booking links to its invoice', async ({
  page,
  shop,
}) => {
  await page.route('**/rpc/list_repair_records', async (route) => {
    const estimate = { kind: 'estimate', id: '00000000-0000-4000-8000-000000000000' }
    const at = '2026-11-24T12:00:00Z'
    await route.fulfill({ json: [{ ...estimate, label: 'E-0094', state: 'approved', at }] })
  })
  await openBooking(page, shop, false)
  const create = bookingPanel(page).getByRole('link', { name: 'Create invoice' })
  await expect(create).toHaveAttribute('href', /\/estimates\/00000000-/)
  await expectAccessible(page)
})
