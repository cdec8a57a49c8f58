import {
  expect,
  expectAccessible,
  type Page,
  type Shop,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { clearBookings } from '#tests/browser/shop-records.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

async function addTask(shop: Shop, title: string, status = 'pending', daysAgo = 0) {
  await shop.database.query(
    `insert into tasks (title, status, completed_at, created_at)
     values ($1, $2, case when $2 = 'completed' then now() - $3 * interval '1 day' end,
       now() - $3 * interval '1 day')`,
    [title, status, daysAgo],
  )
}

/**
 * Completes the task as another browser window would, but without the history line that the database function would
 * write.
 */
async function completeElsewhere(shop: Shop, title: string) {
  await shop.database.query(
    `update tasks set status = 'completed', completed_at = now() where title = $1`,
    [title],
  )
}

const openTasks = async (page: Page) => {
  await page.goto('/admin-dashboard/tasks')
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeVisible()
}
/** Opens the list of tasks without live events, so that the page does not notice another window's changes. */
const openTasksWithoutLiveEvents = async (page: Page) => {
  await withoutLiveEvents(page)
  await openTasks(page)
}
/** Opens the status panel, and waits until the panel has requested the current task. */
async function openStatusPanel(page: Page, title: string): Promise<void> {
  const isRead = page.waitForResponse(/\/rest\/v1\/tasks\?.*id=eq/)
  await card(page, title)
    .getByRole('button', { name: /^Update Status/ })
    .click()
  await isRead
}
const card = (page: Page, title: string) => page.getByRole('article', { name: title })

test.beforeEach(async ({ shop, page }) => {
  await clearBookings(shop)
  await signIn(page)
})

test('Empty task lists show a message; a task needs a title and is created with the chosen values @phone', async ({
  page,
}) => {
  await openTasks(page)
  await expect(page.getByText('No active tasks')).toBeVisible()
  await expect(page.getByText('No completed tasks')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tasks (0)', exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create Task' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Task' })
  await dialog.getByLabel('Task Description').fill('Check the left slider pins')
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(page.getByText('Validation Error')).toBeVisible()
  await expect(page.getByText('Task title is required.').first()).toBeVisible()
  await expect(dialog.getByLabel('Task Description')).toHaveValue('Check the left slider pins')
  await dialog.getByLabel('Task Title').fill('Front brakes')
  await dialog.getByLabel('Priority Level').selectOption('urgent')
  await dialog.getByLabel('Task Deadline (optional)').fill('2027-01-15')
  await dialog.getByLabel('Task Title').press('Enter')
  await expect(page.getByText('Task Created')).toBeVisible()
  for (const text of ['Urgent', 'Pending', 'Due January 15, 2027', 'No notes yet.']) {
    await expect(card(page, 'Front brakes')).toContainText(text)
  }
})

test('The quick buttons change a task from pending to ready for pickup, and back', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  const task = card(page, 'Front brakes')
  await task.getByRole('button', { name: /^Start Task/ }).click()
  await expect(page.getByText('Status set to In Progress.')).toBeVisible()
  await task.getByRole('button', { name: /^Mark Complete/ }).click()
  await expect(page.getByRole('heading', { name: 'Completed Tasks (1)' })).toBeVisible()
  await expect(task).toContainText(/Completed [A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M/)
  await task.getByRole('button', { name: /^Ready for Pickup/ }).click()
  await expect(page.getByText('Marked Ready for Pickup')).toBeVisible()
  await expect(task.getByRole('button', { name: /^Ready for Pickup/ })).toBeHidden()
  await expect(task).toContainText('Ready for Pickup')
  await task.getByRole('button', { name: /^Reopen Task/ }).click()
  await expect(page.getByRole('heading', { name: 'Active Tasks (1)' })).toBeVisible()
  await expect(task).not.toContainText('Ready for Pickup')
})

test('Changes and notes of a task show the name of the signed-in employee', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  // Replaces the username of the signed-in admin by the username of an employee.
  await page.route('**/api/admin/me*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), user: { username: 'lena' } },
    })
  })
  const signers: unknown[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/rest/v1/rpc/')) return
    // The navigation bar of the dashboard polls `count_open_work`, which changes no data.
    if (pathname.endsWith('/count_open_work')) return
    const { changed_by_name: signer } = request.postDataJSON() as { changed_by_name?: unknown }
    signers.push([pathname.slice('/rest/v1/rpc/'.length), signer])
  })
  await page.reload()
  await openTasks(page)
  const task = card(page, 'Front brakes')
  await task.getByRole('button', { name: /^Start Task/ }).click()
  await expect(page.getByText('Status set to In Progress.')).toBeVisible()
  await task.getByRole('button', { name: /^Mark Complete/ }).click()
  await expect(page.getByText('Status set to Completed.')).toBeVisible()
  await task.getByRole('button', { name: /^Ready for Pickup/ }).click()
  await expect(page.getByText('Marked Ready for Pickup')).toBeVisible()
  await task.getByRole('button', { name: /^Add Note/ }).click()
  const panel = page.getByRole('dialog', { name: 'Add Note' })
  await panel.getByRole('textbox').fill('Call first')
  await panel.getByRole('button', { name: 'Save Note' }).click()
  await expect(page.getByText('Note added')).toBeVisible()
  expect(signers).toEqual([
    ['update_task_status', 'lena'],
    ['update_task_status', 'lena'],
    ['mark_task_ready_for_pickup', 'lena'],
    ['add_task_note', 'lena'],
  ])
})

test('The status panel of a task sets any status; saving the same status with a note adds only the note', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  const task = card(page, 'Front brakes')
  await task.getByRole('button', { name: /^Update Status/ }).click()
  const panel = page.getByRole('dialog', { name: 'Update Task Status' })
  await panel.getByLabel('Status', { exact: true }).selectOption('waiting_on_parts')
  await panel.getByLabel('Notes (optional)').fill('Discs back-ordered')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Update Status' }).click()
  await expect(page.getByText('Status set to Waiting on Parts.')).toBeVisible()
  await expect(task).toContainText('Discs back-ordered')

  await task.getByRole('button', { name: /^Update Status/ }).click()
  await panel.getByLabel('Notes (optional)').fill('Call before noon')
  await panel.getByRole('button', { name: 'Update Status' }).click()
  await expect(page.getByText('Note added')).toBeVisible()
  await expect(
    task.getByRole('list', { name: 'Status history' }).getByRole('listitem'),
  ).toHaveCount(1)
  await expect(task.getByText(/^Call before noon\s*admin/)).toBeVisible()
})

test('The status of a task that was changed in another window is not overwritten, and the panel shows the current status', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400 \(Bad Request\)/)
  await addTask(shop, 'Front brakes')
  await openTasksWithoutLiveEvents(page)
  const task = card(page, 'Front brakes')
  await openStatusPanel(page, 'Front brakes')
  const panel = page.getByRole('dialog', { name: 'Update Task Status' })
  await panel.getByLabel('Status', { exact: true }).selectOption('on_hold')
  await panel.getByLabel('Notes (optional)').fill('Until Monday')
  await completeElsewhere(shop, 'Front brakes')
  await panel.getByRole('button', { name: 'Update Status' }).click()
  await expect(
    page.getByText('Failed to update task. The task was set to Completed in another window.'),
  ).toBeVisible()
  await expect(panel).toContainText('Now: Completed')
  await expect(panel.getByLabel('Notes (optional)')).toHaveValue('Until Monday')
  // After the page has shown the version conflict, the user can save anyway.
  await panel.getByRole('button', { name: 'Update Status' }).click()
  await expect(page.getByText('Status set to On Hold.')).toBeVisible()
  await expect(task.getByRole('list', { name: 'Status history' }).getByRole('listitem')).toHaveText(
    [/Completed → On Hold\s*Until Monday/],
  )
})

test('A note from an outdated status panel is added without changing the status', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/400 \(Bad Request\)/)
  await addTask(shop, 'Front brakes')
  await openTasksWithoutLiveEvents(page)
  const task = card(page, 'Front brakes')
  await openStatusPanel(page, 'Front brakes')
  const panel = page.getByRole('dialog', { name: 'Update Task Status' })
  await panel.getByLabel('Notes (optional)').fill('Customer called')
  await completeElsewhere(shop, 'Front brakes')
  await panel.getByRole('button', { name: 'Update Status' }).click()
  await expect(page.getByText('Note added')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Tasks (1)' })).toBeVisible()
  await expect(task.getByText('Customer called')).toBeVisible()

  await shop.database.query(truncateTables('public.tasks'))
  await task.getByRole('button', { name: /^Reopen Task/ }).click()
  await expect(
    page.getByText('Failed to update task. The task was deleted in another window.'),
  ).toBeVisible()
  await expect(page.getByText('No completed tasks')).toBeVisible()
})

test('A link to a task highlights it, or reports that it no longer exists', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  const { rows } = await shop.database.query<{ id: string }>('select id from tasks')
  await page.goto(`/admin-dashboard/tasks?task=${rows[0]?.id}`)
  await expect(card(page, 'Front brakes')).toBeFocused()
  for (const id of ['00000000-0000-4000-8000-000000000000', 'rubbish']) {
    await page.goto(`/admin-dashboard/tasks?task=${id}`)
    await expect(page.getByText('The task of this link no longer exists.')).toBeVisible()
  }
  // The dashboard fetches a task separately if the loaded part of the list does not contain the task.
  for (let other = 0; other < 25; other += 1) await addTask(shop, `Other ${other}`)
  await page.goto(`/admin-dashboard/tasks?task=${rows[0]?.id}`)
  await expect(card(page, 'Front brakes')).toBeFocused()
  await expect(page.getByText('The task of this link')).toBeHidden()
})

test('A change that is made during the first load of a task’s history appears in the history', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  const { promise: listsReadAgain, resolve: recordReading } = Promise.withResolvers<void>()
  let isChanged = false
  page.on('request', (request) => {
    if (request.url().includes('/rpc/update_task_status')) isChanged = true
    if (isChanged && request.url().includes('/rest/v1/tasks?')) recordReading()
  })
  // The response to the first fetch contains the state before the change, but arrives after the change.
  await page.route(
    '**/rest/v1/task_status_history*',
    async (route) => {
      const response = await route.fetch()
      await listsReadAgain
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await openTasks(page)
  const task = card(page, 'Front brakes')
  await task.getByRole('button', { name: /^Start Task/ }).click()
  await expect(task.getByRole('list', { name: 'Status history' })).toContainText(
    'Pending → In Progress',
  )
})

test('A blank note on a task is refused and the panel stays open', async ({ page, shop }) => {
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  await card(page, 'Front brakes')
    .getByRole('button', { name: /^Add Note/ })
    .click()
  const panel = page.getByRole('dialog', { name: 'Add Note' })
  await panel.getByRole('textbox').fill('   ')
  await panel.getByRole('button', { name: 'Save Note' }).click()
  await expect(page.getByText('Please enter a note to save.').first()).toBeVisible()
  await panel.getByRole('textbox').fill('Left rear tire at 3 mm')
  await panel.getByRole('button', { name: 'Save Note' }).click()
  await expect(card(page, 'Front brakes').getByText('Left rear tire at 3 mm')).toBeVisible()
})

test('The history of a task shows three changes until the user opens all, and its headings have the correct levels', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  const task = card(page, 'Front brakes')
  for (const [button, status] of [
    [/^Start Task/, 'In Progress'],
    [/^Mark Complete/, 'Completed'],
    [/^Reopen Task/, 'In Progress'],
    [/^Mark Complete/, 'Completed'],
  ] as const) {
    await task.getByRole('button', { name: button }).click()
    await expect(task.locator('header')).toContainText(status)
  }
  await expect(
    task.getByRole('list', { name: 'Status history' }).getByRole('listitem'),
  ).toHaveCount(3)
  await task.getByRole('button', { name: 'Show All' }).click()
  await expect(
    task.getByRole('list', { name: 'Status history' }).getByRole('listitem'),
  ).toHaveCount(4)
  await task.getByRole('button', { name: 'Show Less' }).click()
  await expect(
    task.getByRole('list', { name: 'Status history' }).getByRole('listitem'),
  ).toHaveCount(3)
  await expect(task.getByRole('heading', { name: 'Front brakes', level: 4 })).toBeVisible()
  await expect(task.getByRole('heading', { name: 'Status history', level: 5 })).toBeVisible()
  await expect(task.getByRole('heading', { name: 'Notes', level: 5 })).toBeVisible()
})

test('A task is deleted only after a confirmation', async ({ page, shop }) => {
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  await card(page, 'Front brakes')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(card(page, 'Front brakes')).toBeVisible()
  await card(page, 'Front brakes')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Task Deleted')).toBeVisible()
  await expect(page.getByText('No active tasks')).toBeVisible()
})

test('Opening the tab Tasks deletes completed tasks that are older than a week, and all but the newest ten', async ({
  page,
  shop,
}) => {
  await addTask(shop, 'Eight days old', 'completed', 8)
  for (let day = 0; day < 12; day++) await addTask(shop, `Done ${day}`, 'completed', day / 3)
  await openTasks(page)
  await expect(page.getByRole('heading', { name: 'Completed Tasks (10)' })).toBeVisible()
  await expect(card(page, 'Done 0')).toBeVisible()
  await expect(card(page, 'Eight days old')).toBeHidden()
})

test('A failed change of a task shows an error and leaves the task unchanged', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await addTask(shop, 'Front brakes')
  await openTasks(page)
  await page.route('**/rest/v1/rpc/*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await card(page, 'Front brakes')
    .getByRole('button', { name: /^Start Task/ })
    .click()
  await expect(page.getByText('Failed to update task.')).toBeVisible()
  await card(page, 'Front brakes')
    .getByRole('button', { name: /^Add Note/ })
    .click()
  const panel = page.getByRole('dialog', { name: 'Add Note' })
  await panel.getByRole('textbox').fill('Kept')
  await panel.getByRole('button', { name: 'Save Note' }).click()
  await expect(page.getByText('Failed to add note.')).toBeVisible()
  await expect(panel.getByRole('textbox')).toHaveValue('Kept')
})
