import {
  confirmSessions,
  expect,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { addBookingOf, addMaria, resetCustomers, customerIdOf } from './customer-records.ts'

/** Closes the connection after the server has finished the request and before the response arrives. */
async function dropResponse(page: Page, address: string) {
  await page.route(address, async (route) => {
    await route.fetch()
    await route.abort()
  })
}

test.use({ expectedConsoleErrors: [/status of 400|ERR_FAILED/] })

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  await addBookingOf(shop, {
    name: 'Maria Delgato',
    email: 'm.delgato@customer.example',
    date: '2026-09-05',
    completed: true,
  })
  await signIn(page)
  await confirmSessions(shop)
  // The test disables live events, so that only the responses can cause the messages.
  await withoutLiveEvents(page)
})
test.afterEach(({ shop }) => resetCustomers(shop))

const openCustomer = async (page: Page, id: string) => page.goto(`/admin-dashboard/customers/${id}`)

test('A customer merge is reported as successful after the response to the merge was lost', async ({
  page,
  shop,
}) => {
  await openCustomer(page, await customerIdOf(shop, 'Maria Delgado'))
  await page.getByRole('button', { name: 'Compare' }).click()
  const question = page.getByRole('dialog', { name: 'Merge these customers?' })
  await dropResponse(page, '**/rest/v1/rpc/merge_customers*')
  await question.getByRole('button', { name: 'Merge' }).click()
  await expect(question.getByText('Customers merged.')).toBeVisible()
  await expect(question.getByText('Could not merge the customers.')).toBeHidden()
  await expect(question.getByRole('button', { name: 'Merge' })).toBeDisabled()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Undo merge' })).toBeVisible()
})

test('A customer erasure is reported as successful after the response to the erasure was lost', async ({
  page,
  shop,
}) => {
  await openCustomer(page, await customerIdOf(shop, 'Maria Delgato'))
  await page.getByRole('button', { name: 'Erase customer data…' }).click()
  await page.getByLabel('Type erase to go on').fill('erase')
  await dropResponse(page, '**/api/customers/erase')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Erased.')
  await expect(page.getByText('Could not erase the data.')).toBeHidden()
  expect(await customerIdOf(shop, 'Maria Delgato')).toBe('')
})

test('A customer erasure shows an error after the request was lost, and can be requested again', async ({
  page,
  shop,
}) => {
  await openCustomer(page, await customerIdOf(shop, 'Maria Delgato'))
  await page.getByRole('button', { name: 'Erase customer data…' }).click()
  await page.getByLabel('Type erase to go on').fill('erase')
  await page.route('**/api/customers/erase', (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('Could not erase the data.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erase', exact: true })).toBeEnabled()
  await page.getByLabel('Type erase to go on').press('Enter')
  await expect(notification(page)).toContainText('Erased.')
})

test('A customer who is erased in another window is no longer shown', async ({ page, shop }) => {
  await page.unroute('**/api/admin/live')
  const id = await customerIdOf(shop, 'Maria Delgato')
  await openCustomer(page, id)
  await expect(page.getByRole('heading', { name: 'Maria Delgato' })).toBeVisible()
  await shop.database.query(
    `select internal.erase_customer(id, version, 'ana') from customers where id = $1`,
    [id],
  )
  await expect(page.getByText('This customer no longer exists.')).toBeVisible()
  await expect(page.getByText('Maria Delgato')).toBeHidden()
  await page.keyboard.press('/')
  await expect(page.getByText('Records you open appear here.')).toBeVisible()
})
