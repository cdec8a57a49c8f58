import {
  confirmButton,
  fillDetails,
  reachDetails,
  startAt,
} from '#tests/browser/booking/booking-steps.ts'
import {
  expect,
  expectAccessible,
  notification,
  openDashboard,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addBookingOf, resetCustomers, customerIdOf } from './customer-records.ts'

/*
 * An attacker who knows a customer's name and phone number books online with another email address. The dashboard marks
 * that email address as entered online. No form proposes the address until staff confirm it, or the customer confirms
 * it through an email to the known address.
 */

const onlineEmail = 'mallory@stranger.example'
const own = 'maria.delgado@customer.example'

test.beforeEach(async ({ shop, page }) => {
  await resetCustomers(shop)
  await startAt(page, shop)
  await addBookingOf(shop, {
    name: 'Maria Delgado',
    email: own,
    date: '2026-10-03',
    completed: true,
  })
})
test.afterEach(async ({ shop, page }) => {
  await page.goto('about:blank')
  await resetCustomers(shop)
})

/** Books on the website with Maria's name and phone number; returns the appointment's id. */
async function bookAsMaria(page: Page, shop: Shop): Promise<string> {
  await reachDetails(page)
  await fillDetails(page, { 'Full Name': 'Maria Delgado', 'Email Address': onlineEmail })
  await confirmButton(page).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  // A job of the server assigns the booking to its customer within a second.
  const linked = async () => {
    const { rows } = await shop.database.query<{ id: string }>(
      'select id from bookings where customer_email = $1 and customer_id is not null',
      [onlineEmail],
    )
    return rows[0]?.id ?? ''
  }
  await expect.poll(linked).not.toBe('')
  return linked()
}

const state = (page: Page) => page.getByText('typed online, not confirmed')
const use = (page: Page) => page.getByRole('button', { name: `Use this address: ${onlineEmail}` })

test('A phone booking and an estimate use the known email address instead of the email address that was entered online', async ({
  page,
  shop,
}) => {
  const id = await bookAsMaria(page, shop)
  await signIn(page)
  await openDashboard(page)
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).fill('maria')
  await expect(page.getByRole('option').first()).toContainText('Maria Delgado')
  await page.getByRole('button', { name: 'book for this customer' }).press('Enter')
  const panel = page.getByRole('dialog', { name: /^Book by phone/ })
  await expect(state(page)).toBeVisible()
  await expect(panel.getByText(`The confirmation to ${own} is kept in the outbox.`)).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/admin-dashboard/day/2026-11-28?booking=${id}`)
  const bookingPanel = page.getByRole('dialog', { name: 'Maria Delgado' })
  await expect(bookingPanel.getByText('typed online, not confirmed')).toBeVisible()
  await expectAccessible(page)
  await bookingPanel
    .getByRole('button', { name: /stimate/ })
    .first()
    .click()
  await expect(page.getByText(`To ${own}, with the link to the estimate.`)).toBeVisible()
  await expect(state(page)).toBeVisible()
  await use(page).click()
  await expect(notification(page)).toContainText('Address added')
  await expect(page.getByText(`To ${onlineEmail}, with the link to the estimate.`)).toBeVisible()
  await expect(state(page)).toBeHidden()
})

test('A customer without an email address gets the email address that was entered online when staff accept the address @phone', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `delete from customer_contact_methods where kind = 'email'; update customers set email = null`,
  )
  await bookAsMaria(page, shop)
  await signIn(page)
  const customerId = await customerIdOf(shop, 'Maria Delgado')
  await page.goto(`/admin-dashboard/customers/${customerId}`)
  await expect(page.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  await expect(state(page)).toBeVisible()
  await expectAccessible(page)
  await use(page).click()
  await expect(page.getByRole('link', { name: onlineEmail })).toBeVisible()
  await expect(state(page)).toBeHidden()
})

test('The customer confirms the email address on a page that opens from an email @phone', async ({
  page,
  shop,
}) => {
  const id = await bookAsMaria(page, shop)
  await shop.database.query(
    `insert into emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, booking_id)
     values ('address_question', 'story', $1, '', 'Story', 'Story', 'Story', $2)`,
    [own, id],
  )
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.address_token($1) as token',
    [id],
  )
  await page.goto(`/address/${rows[0]?.token}`)
  await expect(page.getByRole('heading', { name: 'Is this your email address?' })).toBeVisible()
  await expect(page.getByText(onlineEmail)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Yes, that is my address' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expectAccessible(page)
  const existing = await shop.database.query(
    `select value, confirmed_by_name from customer_contact_methods where kind = 'email' order by id`,
  )
  expect(existing.rows).toEqual([
    { value: own, confirmed_by_name: null },
    { value: onlineEmail, confirmed_by_name: 'customer' },
  ])
})
