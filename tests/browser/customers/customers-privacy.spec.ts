import {
  badNotification,
  confirmSessions,
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addBookingOf, addMaria, resetCustomers, customerIdOf } from './customer-records.ts'

test.use({ expectedConsoleErrors: [/status of 40[049]/] })

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  // The two records have the same phone number and different email addresses, so they may or may not belong to one
  // customer.
  await addBookingOf(shop, {
    name: 'Maria Delgato',
    email: 'm.delgato@customer.example',
    date: '2026-09-05',
    completed: true,
    vehicle: ['2016', 'Honda', 'Civic'],
  })
  await signIn(page)
  await confirmSessions(shop)
  await page.goto(`/admin-dashboard/customers/${await customerIdOf(shop, 'Maria Delgado')}`)
})
test.afterEach(({ shop }) => resetCustomers(shop))

const question = (page: Page) => page.getByRole('dialog', { name: 'Merge these customers?' })
const compare = (page: Page) => page.getByRole('button', { name: 'Compare' })

test('Two records of one customer are merged, and unmerged @phone', async ({ page, shop }) => {
  await expect(page.getByText('Possible duplicate: Maria Delgato, (650) 555-0167.')).toBeVisible()
  await compare(page).press('Enter')
  await expect(question(page).getByText('(650) 555-0167, the same')).toBeVisible()
  await expect(question(page).getByText('You can undo the merge for 30 days.')).toBeVisible()
  await question(page).getByRole('radio', { name: 'm.delgato@customer.example' }).press('Space')
  await expect(
    question(page).getByText('Maria Delgado, (650) 555-0167, m.delgato@customer.example'),
  ).toBeVisible()
  await expect(question(page).getByText('3 vehicles, 5 appointments')).toBeVisible()
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Merge' }).press('Enter')
  await expect(question(page)).toBeHidden()
  await expect(page.getByRole('link', { name: 'm.delgato@customer.example' })).toBeVisible()
  await expect(page.getByRole('link', { name: /2016 Honda Civic/ })).toBeVisible()
  expect(await customerIdOf(shop, 'Maria Delgato')).toBe('')
  await page.getByRole('button', { name: 'Undo merge' }).press('Enter')
  await expect(page.getByRole('link', { name: 'maria.delgado@customer.example' })).toBeVisible()
  await expect(page.getByRole('link', { name: /2016 Honda Civic/ })).toBeHidden()
  expect(await customerIdOf(shop, 'Maria Delgato')).not.toBe('')
})

test('A merge is undone from its notification, and pairs that staff rejected as duplicates are not suggested again', async ({
  page,
  shop,
}) => {
  await compare(page).press('Enter')
  await question(page).getByRole('button', { name: 'Merge' }).click()
  await expect(notification(page)).toContainText('Maria Delgato was merged into Maria Delgado.')
  // While the dialog is open, the user cannot click the page behind it.
  await expect(question(page)).toBeHidden()
  await notification(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => customerIdOf(shop, 'Maria Delgato')).not.toBe('')
  await expect(compare(page)).toBeVisible()

  await compare(page).press('Enter')
  await question(page).getByRole('button', { name: 'Not a duplicate' }).press('Enter')
  await expect(question(page)).toBeHidden()
  await expect(compare(page)).toBeHidden()
})

test('Customers who share no contact details are merged after a search', async ({ page, shop }) => {
  const dialog = page.getByRole('dialog', { name: 'Merge with another customer…' })
  await page.getByRole('button', { name: 'Merge with another customer…' }).press('Enter')
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('maria')
  // The search results leave out the customer whose page is open.
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await expect(dialog.getByRole('option')).toContainText('Maria Delgato')
  await dialog.getByRole('combobox').fill('nobody at all')
  await expect(dialog.getByText('No customers found for “nobody at all”.')).toBeVisible()
  await dialog.getByRole('combobox').fill('ortega')
  await expect(dialog.getByRole('option', { selected: true })).toContainText('Luis Ortega')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('radio', { name: '(650) 555-0199' })).toBeVisible()
  await question(page).getByRole('button', { name: 'Merge' }).press('Enter')
  await expect(question(page)).toBeHidden()
  await expect(page.getByRole('link', { name: /2006 Acura TSX/ })).toBeVisible()
  expect(await customerIdOf(shop, 'Luis Ortega')).toBe('')
  expect(page.url()).not.toContain('ortega')
})

test('Staff move a vehicle that belongs to somebody else to a new customer', async ({
  page,
  shop,
}) => {
  await page.getByRole('link', { name: /2011 Toyota Tacoma/ }).press('Enter')
  await page.getByRole('button', { name: 'Belongs to someone else…' }).press('Enter')
  await page.getByRole('button', { name: 'Move to a new customer' }).press('Enter')
  await expect(page.getByRole('heading', { name: /^Appointments/ })).toContainText('(1)')
  await expect(page.getByRole('link', { name: /2011 Toyota Tacoma/ })).toBeVisible()
  const { rowCount } = await shop.database.query(
    "select from customers where name = 'Maria Delgado'",
  )
  expect(rowCount).toBe(2)
})

test('Staff split off an appointment that belongs to another customer, and undo the split', async ({
  page,
  shop,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Which appointment belongs to someone else?' })
  await page
    .getByRole('button', { name: 'Move an appointment to another customer…' })
    .press('Enter')
  await expect(dialog.getByRole('button', { name: 'Move to a new customer' })).toBeDisabled()
  await dialog.getByRole('radio', { name: /Jun 20, 2026/ }).press('Space')
  await expect(dialog.getByText('The appointment moves to a new customer')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move to a new customer' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: /^Appointments/ })).toContainText('(1)')
  await expect(page.getByRole('link', { name: /2011 Toyota Tacoma/ })).toBeVisible()
  await notification(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByRole('heading', { name: /^Appointments/ })).toContainText('(4)')
  const { rowCount } = await shop.database.query(
    "select from customers where name = 'Maria Delgado' and merged_into is null",
  )
  expect(rowCount).toBe(1)
})

test('Staff change the owner of a vehicle to another known customer, and undo the change', async ({
  page,
  shop,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Who is the new owner?' })
  const driver = page.locator('section').filter({ hasText: 'Owner' }).getByRole('link').first()
  await page.getByRole('link', { name: /2011 Toyota Tacoma/ }).press('Enter')
  await page.getByRole('button', { name: 'Change owner' }).press('Enter')
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('ortega')
  await expect(dialog.getByRole('option', { selected: true })).toContainText('Luis Ortega')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('goes from Maria Delgado to Luis Ortega')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change owner' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(driver).toHaveText('Luis Ortega')
  await notification(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(driver).toHaveText('Maria Delgado')
  expect(await customerIdOf(shop, 'Luis Ortega')).not.toBe('')
})

test('Undoing a change of a vehicle’s owner that can no longer be undone shows an error', async ({
  page,
  shop,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Who is the new owner?' })
  await page.getByRole('link', { name: /2011 Toyota Tacoma/ }).press('Enter')
  await page.getByRole('button', { name: 'Change owner' }).press('Enter')
  await dialog.getByRole('combobox').fill('ortega')
  await expect(dialog.getByRole('option', { selected: true })).toContainText('Luis Ortega')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Change owner' }).press('Enter')
  await expect(dialog).toBeHidden()
  // Marks the vehicle's previous owner as erased before the user presses Undo.
  await shop.database.query("update customers set erased_at = now() where name = 'Maria Delgado'")
  await notification(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(badNotification(page)).toContainText('Could not undo.')
})

test('All data of a customer is exported in one file', async ({ page }) => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  expect((await download).suggestedFilename()).toBe('person.zip')
})

test("A customer without open appointments is erased after staff type the word 'erase'", async ({
  page,
  shop,
  context,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Erase Maria Delgado’s data' })
  await shop.database.query(`select internal.record_file_owner('authenticator')`)
  await page.getByRole('button', { name: 'Erase customer data…' }).press('Enter')
  await expect(dialog.getByText('The database provider decides how long')).toBeVisible()
  await shop.database.query('select internal.record_file_owner(current_user::text)')
  await expect(dialog.getByText('There is an appointment on')).toBeVisible()
  await dialog.getByLabel('Type erase to go on').fill('erase')
  await expect(dialog.getByRole('button', { name: 'Erase', exact: true })).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await shop.database.query(
    `update bookings set status = 'cancelled' where appointment_date = '2026-11-24'`,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Erase customer data…' }).press('Enter')
  await expect(dialog.getByText('will be deleted permanently.')).toBeVisible()
  await expect(
    dialog.getByText(
      'Traces of the data can remain in the database’s files until tonight, and in backups until the backups expire.',
    ),
  ).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('heading', { name: 'Maria Delgado' })).toBeVisible()
  // The live event of the erasure reaches the second browser page before the response reaches the page that erases the
  // customer.
  await page.route('**/api/customers/erase', async (route) => {
    const response = await route.fetch()
    await expect(other.getByText('This customer no longer exists.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Erasing…' })).toBeVisible()
    await route.fulfill({ response })
  })
  await dialog.getByLabel('Type erase to go on').fill('erase')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Erased.')
  await expect(dialog).toBeHidden()
  expect(await customerIdOf(shop, 'Maria Delgado')).toBe('')
})

test('Before an erasure, the page lists the texts of other records that would change, and staff exclude one text @phone', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `update bookings set status = 'cancelled' where appointment_date = '2026-11-24'`,
  )
  await shop.database.query(
    `update bookings set internal_note = 'Brings the truck of his sister, maria.delgado@customer.example.'
     where customer_name = 'Luis Ortega'`,
  )
  await shop.database.query(
    `insert into tasks (title, description) values
       ('Order floor mats', 'Maria Delgado pays them. Her car is the one with plate 8KLM204, ask for the dark ones.'),
       ('Call about the loaner', '650-555-0167 after five')`,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Erase customer data…' }).press('Enter')
  const texts = page
    .getByRole('dialog', { name: 'Erase Maria Delgado’s data' })
    .getByRole('group', { name: 'texts of other records change' })
  await expect(texts.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(texts.getByRole('deletion')).toHaveText([
    'maria.delgado@customer.example',
    '8KLM204',
  ])
  await expectAccessible(page)
  await texts.getByRole('checkbox', { name: 'Shop note Luis Ortega, Nov 26, 2026' }).press('Space')
  await page.getByLabel('Type erase to go on').fill('erase')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Erased.')
  const { rows } = await shop.database.query(
    `select internal_note as text from bookings where customer_name = 'Luis Ortega'
     union all select description from tasks where title = 'Order floor mats'`,
  )
  expect(rows).toEqual([
    { text: 'Brings the truck of his sister, maria.delgado@customer.example.' },
    {
      text: 'Maria Delgado pays them. Her car is the one with plate [erased], ask for the dark ones.',
    },
  ])
})
