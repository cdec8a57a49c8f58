import { expect, expectAccessible, type Page, signIn, test } from '#tests/browser/fixtures.ts'
import { addMaria, resetCustomers, customerIdOf } from './customer-records.ts'
import { addQuote } from '#tests/browser/shop-records.ts'

/** The server refuses invalid input, such as a wrong VIN, with the status 400, which the browser logs as an error. */
test.use({ expectedConsoleErrors: [/status of 400/] })

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  await signIn(page)
})
test.afterEach(({ shop }) => resetCustomers(shop))

const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

test('The customer page shows all records of the customer @phone', async ({ page, shop }) => {
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  await expect(page.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  await expect(page.getByText('1 no-show of 3')).toBeVisible()
  await expect(page.getByRole('link', { name: '(650) 555-0167' })).toHaveAttribute(
    'href',
    'tel:6505550167',
  )
  const vehicles = section(page, 'Vehicles')
  await expect(vehicles.getByRole('link', { name: /2011 Toyota Tacoma/ })).toBeVisible()
  await expect(vehicles.getByRole('link', { name: /8KLM204/ })).toBeVisible()
  // The summary counts all appointments of the list below, in every state.
  await expect(page.getByRole('definition').first()).toHaveText('4 came 2 times, 1 no-show')
  const appointments = section(page, 'Appointments')
  await expect(appointments.getByRole('heading')).toHaveText('Appointments (4)')
  await expect(appointments.getByRole('row').filter({ hasText: 'Aug 12, 2026' })).toContainText(
    'No-show',
  )
  await expectAccessible(page)
  await appointments.getByRole('link', { name: 'Oct 3, 2026' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Maria Delgado' })).toBeVisible()
})

test('Contact details and notes of a customer are edited by keyboard alone', async ({
  page,
  shop,
}) => {
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  await page.getByRole('button', { name: 'Edit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit Maria Delgado' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('(650) 555-0188')
  await expectAccessible(page)
  // Another user saves a change of the same customer before this page saves its change.
  await shop.database.query(
    "update customers set phone = '(650) 555-0111' where name = 'Maria Delgado'",
  )
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Someone else changed this record.')).toBeVisible()
  await expect(dialog.getByText('(650) 555-0111')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save my version' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: '(650) 555-0188' })).toBeVisible()
  await page.getByLabel('Add a note').fill('Prefers a call after 5 PM.')
  await page.getByRole('button', { name: 'Add note' }).press('Enter')
  await expect(section(page, 'Notes').getByRole('listitem')).toContainText(
    'Prefers a call after 5 PM.',
  )
})

test('Two windows change different fields of a customer, and both changes are kept', async ({
  page,
  shop,
  context,
}) => {
  const address = `/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`
  const other = await context.newPage()
  for (const window of [page, other]) {
    // oxlint-disable-next-line no-await-in-loop -- the two windows act one after the other
    await window.goto(address)
    // oxlint-disable-next-line no-await-in-loop -- the two windows act one after the other
    await window.getByRole('button', { name: 'Edit' }).click()
  }
  await page.getByRole('dialog').getByLabel('Phone').fill('(650) 555-0188')
  await other.getByRole('dialog').getByLabel('Email').fill('maria.d@mail.example')
  for (const window of [other, page]) {
    // oxlint-disable-next-line no-await-in-loop -- the two windows act one after the other
    await window.keyboard.press('Enter')
    // oxlint-disable-next-line no-await-in-loop -- the two windows act one after the other
    await expect(window.getByRole('dialog')).toBeHidden()
  }
  const { rows } = await shop.database.query(
    "select phone, email from customers where name = 'Maria Delgado'",
  )
  expect(rows).toEqual([{ phone: '(650) 555-0188', email: 'maria.d@mail.example' }])
})

test('When two windows change the same field of a customer, the user of the second window chooses the value', async ({
  page,
  shop,
}) => {
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Maria' })
  await dialog.getByLabel('Phone').fill('(650) 555-0188')
  await dialog.getByLabel('Email').fill('maria.d@mail.example')
  await shop.database.query(
    "update customers set phone = '(650) 555-0111' where name = 'Maria Delgado'",
  )
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('You both changed: Phone.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use theirs for Phone' }).press('Enter')
  await expect(dialog.getByLabel('Phone')).toHaveValue('(650) 555-0111')
  await expect(dialog.getByText('Someone else changed this record.')).toBeHidden()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog).toBeHidden()
  const { rows } = await shop.database.query(
    "select phone, email from customers where name = 'Maria Delgado'",
  )
  expect(rows).toEqual([{ phone: '(650) 555-0111', email: 'maria.d@mail.example' }])
})

test('A customer who disabled reminders receives no reminder', async ({ page, shop }) => {
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  const reminders = page.getByRole('switch', { name: 'Reminders before an appointment' })
  await expect(reminders).toBeChecked()
  await reminders.press('Space')
  await expect(reminders).not.toBeChecked()
  await expectAccessible(page)
  await page.reload()
  await expect(reminders).not.toBeChecked()
})

test('The vehicle page lists its history by mileage, and refuses an invalid VIN', async ({
  page,
  shop,
}) => {
  const { rows } = await shop.database.query<{ id: string }>(
    "select id from vehicles where model = 'Outback'",
  )
  await shop.database.query(
    `insert into odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
     select vehicle_id, id, case appointment_date when '2026-10-03' then 69980 else 61240 end, appointment_date, 'Sam'
     from bookings where vehicle_id = $1 and appointment_date < '2026-11-01'`,
    [rows[0]?.id],
  )
  await page.goto(`/admin-dashboard/vehicles/${rows[0]?.id}`)
  await expect(page.getByRole('heading', { name: '2019 Subaru Outback' })).toBeVisible()
  const history = section(page, 'By mileage')
  await expect(history.getByRole('listitem').first()).toContainText('75,000 mi maintenance due')
  await expect(history.getByRole('listitem').filter({ hasText: '69,980' })).toContainText(
    'Brake Job',
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit 2019 Subaru Outback' })
  await dialog.getByLabel('VIN').fill('1m8gdm9a1kp042788')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('At least one character is wrong')).toBeVisible()
  await dialog.getByLabel('VIN').fill('1m8gdm9axkp042788')
  await dialog.getByLabel('Plate').fill('7trd118')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('7TRD118')).toBeVisible()
  await page.getByLabel('Miles').fill('60,000')
  await page.getByLabel('Read on').fill('2026-11-20')
  await page.getByRole('button', { name: 'Record odometer' }).press('Enter')
  await expect(page.getByText('The odometer showed 69,980 mi on Oct 3, 2026.')).toBeVisible()
  await page.getByLabel('Miles').fill('71,506')
  await page.getByLabel('Read on').fill('2026-11-20')
  await page.getByRole('button', { name: 'Record odometer' }).press('Enter')
  await expect(section(page, 'Odometer').getByText('71,506 mi')).toBeVisible()
  await page.getByRole('link', { name: 'Maria Delgado' }).first().press('Enter')
  await expect(page.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
})

test('A change of the customer in another window appears on the customer page without a reload, and staff create an estimate there', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Maria Delgado', phone: '(650) 555-0167' })
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
  await expect(page.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  await shop.database.query(
    "update customers set phone = '(650) 555-0111' where name = 'Maria Delgado'",
  )
  await expect(page.getByRole('link', { name: '(650) 555-0111' })).toBeVisible()
  await page.getByRole('button', { name: 'Create estimate' }).press('Enter')
  await expect(page).toHaveURL(/\/estimates\//)
})

test('An estimate is created for a customer without an open booking or quote request', async ({
  page,
  shop,
}) => {
  await shop.database.query("update bookings set status = 'cancelled' where completed_at is null")
  const { rows } = await shop.database.query<{ id: string }>(
    "select id from vehicles where model = 'TSX'",
  )
  await page.goto(`/admin-dashboard/vehicles/${rows[0]?.id}`)
  await page.getByRole('button', { name: 'Create estimate' }).press('Enter')
  await expect(page).toHaveURL(/\/estimates\//)
  await expect(page.getByText('Luis Ortega').first()).toBeVisible()
  const { rows: made } = await shop.database.query('select vehicle_id from estimates')
  expect(made).toEqual([{ vehicle_id: rows[0]?.id }])
})

test('The page of a customer who does not exist shows a message', async ({ page }) => {
  await page.goto('/admin-dashboard/customers/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('This customer no longer exists.')).toBeVisible()
})
