import {
  adminLogin,
  badNotification,
  expect,
  openDashboard,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'

/*
 * Tests of the messages that docs/product.md 8.5 specifies for each failure. The tests of the dashboard's features
 * cover how users continue after each failure.
 */

test.use({ expectedConsoleErrors: [/Failed to load resource/] })
test.beforeEach(({ shop }) => clearBookings(shop))

async function expectFailure(page: Page, title: string, message: string): Promise<void> {
  await expect(badNotification(page)).toHaveText(`${title}${message}`)
}

/** Makes every request with the given path and method fail with the status 500. */
async function breakCalls(page: Page, path: string, method: string): Promise<void> {
  await page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } })
      : route.fallback(),
  )
}

test('a failed login to the dashboard shows the message of the server, or the default message of the page', async ({
  page,
}) => {
  const login = '**/api/admin/login'
  await page.goto('/admin-dashboard')
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill('anything')
  const refusals = [
    [{ ok: false, message: 'The shop is closed.' }, 'The shop is closed.'],
    [{ ok: false }, 'Invalid username or password'],
    ['<html>', 'An error occurred during login.'],
  ] as const
  for (const [response, message] of refusals) {
    await page.route(login, (route) =>
      route.fulfill({ status: 401, body: JSON.stringify(response).replaceAll('"<', '<') }),
    )
    await page.getByRole('button', { name: 'Login' }).click()
    await expectFailure(page, 'Login Error', message)
    await page.unroute(login)
  }
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(login, async (route) => {
    await held
    await route.abort()
  })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  release()
  await expectFailure(page, 'Login Error', 'An error occurred during login.')
})

test('each failed change of an appointment shows an error', async ({ page, shop }) => {
  await addBooking(shop, { time: '11:00:00', name: 'Dana Whitfield' })
  await addBooking(shop, { time: '14:00:00', name: 'Omar Reyes', completed: true })
  await openDashboard(page, '/appointments?view=list')
  for (const method of ['PATCH', 'DELETE']) await breakCalls(page, '**/rest/v1/bookings*', method)
  await breakCalls(page, '**/rest/v1/tasks*', 'POST')
  const press = (name: RegExp) => page.getByRole('button', { name }).click()

  await press(/^Complete the appointment of Dana/)
  await expectFailure(page, 'Error', 'Failed to complete appointment.')
  await press(/^Undo Complete the appointment of Omar/)
  await expectFailure(page, 'Error', 'Failed to undo completion.')
  await press(/^Delete the appointment of Omar/)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectFailure(page, 'Error', 'Failed to delete appointment.')
  await press(/^Add to Tasks the appointment of Dana/)
  const dialog = page.getByRole('dialog', { name: 'Convert Appointment to Task' })
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expectFailure(page, 'Error', 'Failed to create task from appointment.')
  await expect(dialog).toBeVisible()
})

test.describe('requests that fail', () => {
  test.beforeEach(async ({ page, shop }) => {
    await shop.database.query(
      `insert into tasks (title, status, completed_at) values ('Front brakes', 'completed', now())`,
    )
    await signIn(page)
  })
  const open = (page: Page) => page.goto('/admin-dashboard/tasks')

  test('the page of tasks shows which change of a task failed', async ({ page }) => {
    await breakCalls(page, '**/rest/v1/rpc/**', 'POST')
    for (const method of ['POST', 'DELETE']) await breakCalls(page, '**/rest/v1/tasks*', method)
    await open(page)
    const card = page.getByRole('article', { name: 'Front brakes' })
    await card.getByRole('button', { name: /^Ready for Pickup/ }).click()
    await expectFailure(page, 'Error', 'Failed to mark as ready for pickup.')
    await card.getByRole('button', { name: /^Delete/ }).click()
    const confirmation = page.getByRole('dialog', { name: 'Delete Task' })
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expectFailure(page, 'Error', 'Failed to delete task.')
    await page.keyboard.press('Escape')
    await card.getByRole('button', { name: /^Add Note/ }).click()
    const panel = page.getByRole('dialog', { name: 'Add Note' })
    await panel.getByRole('textbox').fill('  ')
    await panel.getByRole('button', { name: 'Save Note' }).click()
    await expectFailure(page, 'Note required', 'Please enter a note to save.')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create Task' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Task' })
    await dialog.getByLabel('Task Title').fill('Rear brakes')
    await dialog.getByRole('button', { name: 'Create Task' }).click()
    await expectFailure(page, 'Error', 'Failed to create task.')
  })

  test('the page of tasks shows an error when the tasks could not be loaded', async ({ page }) => {
    await breakCalls(page, '**/rest/v1/tasks*', 'GET')
    await open(page)
    await expectFailure(page, 'Error', 'Failed to load tasks.')
  })

  test('the page of tasks shows no notification when its requests for the history, the notes or the cleanup fail', async ({
    page,
    shop,
  }) => {
    await shop.database.query(
      `insert into tasks (title, status, completed_at, created_at)
       values ('Old job', 'completed', now() - interval '8 days', now() - interval '9 days')`,
    )
    await breakCalls(page, '**/rest/v1/task_*', 'GET')
    await breakCalls(page, '**/rest/v1/rpc/clean_up_tasks', 'POST')
    const cleanup = page.waitForResponse('**/rest/v1/rpc/clean_up_tasks')
    await open(page)
    expect((await cleanup).status()).toBe(500)
    await expect(page.getByRole('article', { name: 'Front brakes' })).toContainText('No notes yet.')
    await expect(badNotification(page)).toHaveCount(0)
  })
})

test('when the script with supabase-js fails to load, the login form stays and keeps its input', async ({
  page,
}) => {
  await page.route('**/assets/dist-*.js', (route) => route.abort())
  await page.goto('/admin-dashboard')
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill(adminLogin.password)
  const button = page.getByRole('button', { name: 'Login' })
  await button.click()
  await expect(page.getByText('An error occurred during login.').first()).toBeVisible()
  await expect(button).toBeEnabled()
})
