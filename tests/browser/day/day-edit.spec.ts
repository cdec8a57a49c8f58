import { addDayBooking, emptyDay, fixtureDay, resetDay, setPageClock } from './day-records.ts'
import {
  expect,
  expectAccessible,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { sendTestEstimate } from '#tests/browser/estimates/sent-estimate-records.ts'

const openDay = (page: Page) => page.goto(`/admin-dashboard/day/${fixtureDay}`)
const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
async function openEdit(page: Page, name: string) {
  await openDay(page)
  await page.getByRole('button', { name: new RegExp(name) }).click()
  await panel(page, name).getByRole('button', { name: 'Edit…' }).click()
  return panel(page, `Edit ${name}`)
}

async function bookingOf(shop: Shop, name: string) {
  const { rows } = await shop.database.query<Record<string, unknown>>(
    `select service_name, duration_minutes, to_char(appointment_time, 'HH24:MI') as time, vehicle_year, vehicle_make,
       vehicle_model, customer_phone, customer_email from bookings where customer_name = $1`,
    [name],
  )
  return rows[0]
}

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await setPageClock(page)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

test('Staff enter the vehicle of a booking that had none, and the history names the field @phone', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await shop.database.query(
    'update bookings set vehicle_year = null, vehicle_make = null, vehicle_model = null',
  )
  const edit = await openEdit(page, 'Maria Delgado')
  await expect(edit.getByRole('button', { name: 'Save' })).toBeDisabled()
  await edit.getByLabel('Vehicle').fill('2019 Subaru Outback')
  await expectAccessible(page)
  await edit.getByLabel('Vehicle').press('Enter')
  await expect(notification(page)).toContainText('Saved')
  await expect(edit).toBeHidden()
  expect(await bookingOf(shop, 'Maria Delgado')).toMatchObject({
    vehicle_year: '2019',
    vehicle_make: 'Subaru',
    vehicle_model: 'Outback',
  })
  const appointment = panel(page, 'Maria Delgado')
  await appointment.getByText('History').click()
  await expect(appointment).toContainText('Edited: vehicle')
})

test('The E key on a focused booking opens its edit panel, which focuses the first missing field, and Enter saves', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await shop.database.query(
    'update bookings set vehicle_year = null, vehicle_make = null, vehicle_model = null',
  )
  await openDay(page)
  const booking = page.getByRole('button', { name: /Maria Delgado/ })
  const edit = panel(page, 'Edit Maria Delgado')
  await booking.focus()
  await page.keyboard.press('e')
  await expect(edit.getByLabel('Vehicle')).toBeFocused()
  await page.keyboard.type('2019 Subaru Outback')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Saved')
  await expect(edit).toBeHidden()
  await page.keyboard.press('e')
  await expect(edit.getByLabel('Service')).toBeFocused()
  await expect(edit.getByRole('option', { name: /^Tune-Up/ })).toBeAttached()
  await page.keyboard.type('Tune')
  await expect(edit.getByLabel(/Email the customer/)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(edit).toBeHidden()
  expect(await bookingOf(shop, 'Maria Delgado')).toMatchObject({
    service_name: 'Tune-Up',
    vehicle_model: 'Outback',
  })
})

test('A license plate in the vehicle field is saved as the plate, never as the model', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
    vehicle: ['2015', 'Honda', 'Accord'],
  })
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Vehicle').fill('2015 Honda Accord 8ABC 123')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Saved')
  expect(await bookingOf(shop, 'Maria Delgado')).toMatchObject({ vehicle_model: 'Accord' })
  const { rows } = await shop.database.query(
    'select plate, model from vehicles where plate is not null',
  )
  expect(rows).toEqual([{ plate: '8ABC123', model: 'Accord' }])
})

test('A longer service that does not fit into the time is refused with three free times, and can be saved at one of them @phone', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await addDayBooking(shop, { bay: 'Bay 1', time: '14:30', minutes: 60, name: 'Ken Morimoto' })
  await shop.database.query(`delete from bays where name <> 'Bay 1'`)
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Service').selectOption({ label: 'Tune-Up, 120 min' })
  await expect(edit.getByText('Next free for 2 h')).toBeVisible()
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.locator('.fit-notice')).toBeFocused()
  const free = edit.locator('.fit-times').getByRole('button')
  await expect(free).toHaveCount(3)
  await free.first().click()
  await expect(edit).toContainText('New time:')
  await expect(edit.getByLabel(/Email the customer/)).toBeChecked()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Saved, customer not notified')
  expect(await bookingOf(shop, 'Maria Delgado')).toMatchObject({
    service_name: 'Tune-Up',
    duration_minutes: 120,
  })
})

test('The panel asks whether a new email address is a correction; a correction changes the customer’s other appointments too', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await addDayBooking(shop, { bay: 'Bay 1', time: '16:00', minutes: 60, name: 'Maria Delgado' })
  await openDay(page)
  await page.getByRole('button', { name: /1:00.*Maria Delgado/ }).click()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Edit…' }).click()
  const edit = panel(page, 'Edit Maria Delgado')
  await edit.getByLabel('Email').fill('maria.d@customer.example')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Please choose one.')).toBeVisible()
  await expect(edit.getByLabel('Correct this customer')).toBeFocused()
  await edit.getByLabel('Correct this customer').check()
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Saved')
  const { rows } = await shop.database.query('select distinct customer_email from bookings')
  expect(rows).toEqual([{ customer_email: 'maria.d@customer.example' }])
})

test('Staff change the customer of an appointment: the new customer gets the confirmation, and the previous email address gets a notice', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await shop.database.query(`update bookings set customer_email = 'maria@customer.example'`)
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Name').fill('Rosa Delgado')
  await edit.getByLabel('Phone').fill('(650) 555-0188')
  await edit.getByLabel('Email').fill('rosa@customer.example')
  await edit.getByLabel('This is another customer').check()
  await expect(edit).toContainText('The confirmation goes to rosa@customer.example.')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(panel(page, 'Rosa Delgado')).toBeVisible()
  const { rows } = await shop.database.query(
    'select kind, recipient_email from emails where booking_id = (select id from bookings) order by kind',
  )
  expect(rows).toEqual([
    { kind: 'booking_confirmation', recipient_email: 'rosa@customer.example' },
    { kind: 'booking_handed_over', recipient_email: 'maria@customer.example' },
  ])
})

test('Back keeps the input of the edit, and closing the panel asks before the input is discarded', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Color').fill('Green')
  await page.goBack()
  await expect(edit).toBeHidden()
  await page.goForward()
  await expect(edit.getByLabel('Color')).toHaveValue('Green')
  await page.reload()
  await expect(edit.getByLabel('Color')).toHaveValue('Green')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(edit).toBeHidden()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Edit…' }).click()
  await expect(edit.getByLabel('Color')).toHaveValue('')
})

test('Saving an edit does not overwrite the fields that another window changed in the meantime', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400/)
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Color').fill('Green')
  await shop.database.query(
    `update bookings set duration_minutes = 75 where customer_name = 'Maria Delgado'`,
  )
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Saved')
  const { rows } = await shop.database.query('select vehicle_color, duration_minutes from bookings')
  expect(rows).toEqual([{ vehicle_color: 'Green', duration_minutes: 75 }])
})

test('If a longer service does not fit, the day beside the panel marks the conflict, and the field Service shows an error', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '17:00', minutes: 60, name: 'Maria Delgado' })
  await addDayBooking(shop, { bay: 'Bay 1', time: '18:15', minutes: 45, name: 'Ken Morimoto' })
  await shop.database.query(`delete from bays where name <> 'Bay 1'`)
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Service').selectOption({ label: 'Tune-Up, 120 min' })
  await expect(edit.getByLabel('Service')).toHaveAccessibleDescription('Does not fit')
  const mark = page.getByRole('list', { name: 'Bay 1' }).locator('.day-conflict')
  await expect(mark).toBeInViewport()
  const [marked, beside] = await Promise.all([mark.boundingBox(), edit.boundingBox()])
  expect((marked?.x ?? 0) + (marked?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
  await edit.getByLabel('Service').selectOption({ label: 'Oil Change, 60 min' })
  await expect(mark).toHaveCount(0)
})

test('An appointment without a bay can get a longer service although every bay is full', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: null, time: '13:00', minutes: 60, name: 'Maria Delgado' })
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 240, name: 'Ken Morimoto' })
  await shop.database.query(`delete from bays where name <> 'Bay 1'`)
  await openDay(page)
  const withoutBay = page.getByRole('list', { name: 'No bay' })
  await withoutBay.getByRole('button', { name: /Maria Delgado/ }).click()
  await panel(page, 'Maria Delgado').getByRole('button', { name: 'Edit…' }).click()
  const edit = panel(page, 'Edit Maria Delgado')
  await edit.getByLabel('Service').selectOption({ label: 'Tune-Up, 120 min' })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  expect(await bookingOf(shop, 'Maria Delgado')).toMatchObject({ service_name: 'Tune-Up' })
})

test('Entering only a license plate keeps make and model, and a corrected make changes the vehicle’s record', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Nora Lindqvist',
    vehicle: ['2015', 'Hnda', 'Accord'],
  })
  const edit = await openEdit(page, 'Nora Lindqvist')
  await edit.getByLabel('Vehicle').fill('KLM 482')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  await panel(page, 'Nora Lindqvist').getByRole('button', { name: 'Edit…' }).click()
  await expect(edit.getByLabel('Vehicle')).toHaveValue('2015 Hnda Accord')
  await edit.getByLabel('Vehicle').fill('2015 Honda Accord')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  const { rows } = await shop.database.query(
    `select make, model, plate from vehicles where id in (select vehicle_id from bookings)`,
  )
  expect(rows).toEqual([{ make: 'Honda', model: 'Accord', plate: 'KLM482' }])
  const { rows: former } = await shop.database.query(
    `select make from vehicles where make = 'Hnda'`,
  )
  expect(former).toEqual([])
})

test('After the estimate was sent, changing the customer of the appointment is refused with a message', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/4\d\d/)
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await sendTestEstimate(shop, { bookingId: id })
  const edit = await openEdit(page, 'Maria Delgado')
  await edit.getByLabel('Name').fill('Rosa Delgado')
  await edit.getByLabel('This is another customer').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Could not save the appointment.')).toBeVisible()
  await expect(edit).toContainText('was sent to its customer, so the customer cannot be changed.')
  expect(await bookingOf(shop, 'Maria Delgado')).toBeDefined()
})
