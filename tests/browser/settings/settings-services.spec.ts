import {
  badNotification,
  expect,
  expectAccessible,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(
    `${truncateTables('public.bookings')};
     delete from services where name = 'Coolant Flush';
     update services set position = null, is_active = true, price_from_cents = null;
     update services set name = 'Brake Job', duration_minutes = 90, description = 'Pads and discs.'
       where name in ('Brake Job', 'Brake Service')`,
  )
  await signIn(page)
  await page.goto('/admin-dashboard/settings/services')
  await expect(rows(page).first()).toContainText('Oil Change')
})
test.afterAll(async ({ shop }) => {
  await shop.database.query(
    `delete from services where name = 'Coolant Flush';
     update services set position = null, is_active = true, price_from_cents = null,
       duration_minutes = case when name in ('Brake Service', 'Brake Job') then 90 else duration_minutes end,
       name = case name when 'Brake Service' then 'Brake Job' else name end;
     delete from bays where name in ('Bay 2', 'Rack');
     update booking_rules set booking_window_days = 30`,
  )
})

const savedOrder = async (shop: Shop) => {
  const { rows: found } = await shop.database.query<{ name: string }>(
    'select name from services order by position limit 3',
  )
  return found.map(({ name }) => name)
}

const rows = (page: Page) => page.getByRole('list', { name: 'Services' }).getByRole('listitem')
const edit = (page: Page, name: string) =>
  page.getByRole('button', { name: `Edit ${name}` }).click()
const editor = (page: Page, name: string) => page.getByRole('form', { name: `Change ${name}` })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

test('Staff edit a service in place with a preview card, and booked appointments keep the former values', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `insert into bookings (service_id, duration_minutes, appointment_date, appointment_time, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select id, 90, (internal.shop_now() + interval '3 days')::date, '12:00', 'Dana', 'dana@example.com',
       '1', '2001', 'Ford', 'Ka' from services where name = 'Brake Job'`,
  )
  await edit(page, 'Brake Job')
  await expect(editor(page, 'Brake Job').getByLabel('Name')).toBeFocused()
  await expect(page.getByText('1 existing appointment is not changed.')).toBeVisible()
  await page.getByLabel('Name').fill('Brake Service')
  await page.getByLabel('Minutes').fill('120')
  await page.getByLabel('Price from, $').fill('189.50')
  const card = page.getByRole('complementary', { name: 'What customers see' }).getByRole('article')
  await expect(card.first()).toContainText('Brake Service')
  await expect(card.first()).toContainText('2 hr')
  await expect(card.first()).toContainText('from $189.50')
  await expectAccessible(page)
  await save(page).click()
  await expect(notification(page)).toContainText('Existing appointments are not changed')
  await expect(page.getByRole('button', { name: 'Edit Brake Service' })).toBeFocused()
  const { rows: booked } = await shop.database.query(
    'select service_name, duration_minutes from bookings',
  )
  expect(booked).toEqual([{ service_name: 'Brake Job', duration_minutes: 90 }])

  await page.goto('/book-appointment')
  const shown = page.getByRole('article').filter({ hasText: 'Brake Service' })
  await expect(shown).toContainText('from $189.50')
})

test('Buttons and arrow keys change the order of the services, and customers see the new order', async ({
  page,
  shop,
}) => {
  await page.getByRole('button', { name: 'Move Oil Change down' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).first()).toContainText('Brake Job')
  await expect(page.getByRole('button', { name: 'Move Oil Change down' })).toBeFocused()
  await page.getByRole('button', { name: 'Move Brake Job down' }).click()
  await expect(rows(page).first()).toContainText('Oil Change')
  await page.getByRole('button', { name: 'Move Tune-Up up' }).click()
  await expect(rows(page).nth(2)).toContainText('Tune-Up')
  // The list shows a moved service before the page has saved the new order. The page saves such moves in order.
  await expect.poll(() => savedOrder(shop)).toEqual(['Oil Change', 'Brake Job', 'Tune-Up'])
  await page.goto('/book-appointment')
  await expect(page.getByRole('article').getByRole('heading')).toContainText([
    'Oil',
    'Brake',
    'Tune',
  ])
})

test('Reloading the services while a new order is saved does not revert the order', async ({
  page,
  shop,
}) => {
  const responded = Promise.withResolvers<void>()
  await page.route('**/rest/v1/rpc/order_services', async (route) => {
    await responded.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Move Brake Job up' }).click()
  await expect(rows(page).first()).toContainText('Brake Job')
  const isReadAgain = page.waitForResponse('**/rest/v1/settings_versions*')
  await shop.database.query('update booking_rules set booking_window_days = 31')
  await (await isReadAgain).finished()
  await page.getByRole('button', { name: 'Move Tune-Up up' }).click()
  await expect(rows(page)).toContainText(['Brake Job', 'Oil Change', 'Tune-Up'])
  responded.resolve()
  await expect.poll(() => savedOrder(shop)).toEqual(['Brake Job', 'Oil Change', 'Tune-Up'])
  await expect(rows(page)).toContainText(['Brake Job', 'Oil Change', 'Tune-Up'])
})

test('An order of services that another window saves between two moves of a service is kept and shown', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/rpc\/order_services/)
  const isPressedTwice = Promise.withResolvers<void>()
  await page.route(
    '**/rest/v1/rpc/order_services',
    async (route) => {
      await isPressedTwice.promise
      const response = await route.fetch()
      await shop.database.query(
        `update services set position =
           case name when 'Tune-Up' then 1 when 'Brake Job' then 2 when 'Oil Change' then 3 else position + 3 end`,
      )
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Move Brake Job up' }).click()
  await page.getByRole('button', { name: 'Move Oil Change down' }).click()
  await expect(rows(page)).toContainText(['Brake Job', 'Multipoint', 'Oil Change'])
  isPressedTwice.resolve()
  await expect(badNotification(page)).toContainText('Someone else changed the services.')
  await expect(rows(page)).toContainText(['Tune-Up', 'Brake Job'])
  expect(await savedOrder(shop)).toEqual(['Tune-Up', 'Brake Job', 'Oil Change'])
})

test('A service is added, hidden and shown again; the last visible service cannot be hidden', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/rpc\/save_service/)
  await page.getByRole('button', { name: 'Add a service' }).click()
  await save(page).click()
  const name = page.getByLabel('Name')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/Please enter a name/)
  await name.fill('Oil Change')
  await page.getByLabel('Minutes').fill('1000000')
  await save(page).click()
  await expect(page.getByText('Please enter whole minutes, from 5 to 720.').first()).toBeVisible()
  await page.getByLabel('Minutes').fill('40')
  await page.getByLabel('Price from, $').fill('cheap')
  await save(page).click()
  await expect(page.getByLabel('Price from, $')).toHaveAccessibleDescription(/like 89 or 89.50/)
  await page.getByLabel('Price from, $').fill('')
  await save(page).click()
  await expect(name).toHaveAccessibleDescription(/Another service has this name/)
  await name.fill('Coolant Flush')
  await save(page).click()
  await expect(page.getByRole('button', { name: 'Edit Coolant Flush' })).toBeFocused()

  const offered = page.getByRole('switch', { name: 'Customers can book Coolant Flush' })
  await offered.click()
  await expect(notification(page)).toContainText('Coolant Flush is no longer offered')
  await expect(offered).not.toBeChecked()
  await expectAccessible(page)

  await shop.database.query(`update services set is_active = (name = 'Oil Change')`)
  await page.reload()
  const last = page.getByRole('switch', { name: 'Customers can book Oil Change' })
  await last.click()
  await expect(page.getByRole('alert')).toContainText('Customers need at least one service')
  await expect(last).toBeChecked()
})

test('The bays of a service determine the free times for visitors', async ({ page, shop }) => {
  await shop.database.query(`insert into bays (name, position) values ('Bay 2', 2), ('Rack', 3)`)
  await page.reload()
  await edit(page, 'Tune-Up')
  await page.getByLabel('Where').selectOption('Rack')
  await save(page).click()
  await expect(rows(page).filter({ hasText: 'Tune-Up' })).toContainText('Rack')
  await shop.database.query(
    `insert into special_hours (starts_at, ends_at, bay_id)
     select internal.shop_now()::date, internal.shop_now()::date + 60, id from bays where name = 'Rack'`,
  )
  try {
    const free = async (service: string) => {
      const { rows: found } = await shop.database.query<{ free: boolean }>(
        `select bool_or(is_time_slot_available(duration_minutes, internal.shop_now()::date + days, '12:00', id)) as free
         from services, generate_series(1, 7) days where name = $1 group by id`,
        [service],
      )
      return found[0]?.free
    }
    expect([await free('Tune-Up'), await free('Oil Change')]).toEqual([false, true])
  } finally {
    await shop.database.query('delete from special_hours')
  }
  await edit(page, 'Tune-Up')
  await page.getByLabel('Where').selectOption('Several bays…')
  await page.getByRole('checkbox', { name: 'Bay 1' }).uncheck()
  await expectAccessible(page)
  await save(page).click()
  await expect(rows(page).filter({ hasText: 'Tune-Up' })).toContainText('Bay 2, Rack')
  await edit(page, 'Tune-Up')
  await page.getByLabel('Where').selectOption('Any bay')
  await save(page).click()
  await expect(rows(page).filter({ hasText: 'Tune-Up' })).toContainText('Any bay')
  await shop.database.query(`delete from bays where name in ('Bay 2', 'Rack')`)
})

test('The second of two windows shows the version conflict of a service and keeps its input', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/rpc\/save_service/)
  await edit(page, 'Brake Job')
  await page.getByLabel('Description').fill('Typed here')
  await shop.database.query(`update services set duration_minutes = 95 where name = 'Brake Job'`)
  // The test presses the button with a key, because a live event may show the conflict first and move the button. The
  // message about the conflict gets the focus.
  await save(page).press('Enter')
  await expect(page.locator(':focus').getByText(/^system changed this/)).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Typed here')
  await expect(page.getByLabel('Minutes')).toHaveValue('95')
  await expect(page.getByRole('complementary')).toContainText('1 hr 35 min')
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  const { rows: saved } = await shop.database.query(
    `select description, duration_minutes from services where name = 'Brake Job'`,
  )
  expect(saved).toEqual([{ description: 'Typed here', duration_minutes: 95 }])
})

test('Input for a service survives a server error and is not discarded without a confirmation', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await edit(page, 'Tune-Up')
  await page.getByLabel('Minutes').fill('45')
  await page.route('**/rest/v1/rpc/save_service', (route) =>
    route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } }),
  )
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Your changes are still here')
  await expect(page.getByLabel('Minutes')).toHaveValue('45')
  await page.getByRole('tab', { name: 'Invoices' }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await expect(question).toContainText('Tune-Up: Minutes')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await edit(page, 'Oil Change')
  await expect(notification(page)).toContainText('Finish the open form first')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Edit Tune-Up' })).toBeFocused()

  // The test disables live events, because a live event would refetch the list before the test acts on the old list.
  await withoutLiveEvents(page)
  await page.route('**/rest/v1/services*', (route) =>
    route.fulfill({ status: 500, json: { message: 'no' } }),
  )
  await page.reload()
  await expect(page.getByText('The services could not be loaded.')).toBeVisible()
  await page.unroute('**/rest/v1/services*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page).first()).toContainText('Oil Change')
})
