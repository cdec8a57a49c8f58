import {
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

const openTeam = async (page: Page) => {
  await page.goto('/admin-dashboard/settings/team')
  await expect(page.getByRole('heading', { name: 'Team members without a sign-in' })).toBeVisible()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Team' }).getByRole('listitem').filter({ hasText: name })

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(
    `delete from employees where email like '%@team.example';
     insert into employees (name, email) values ('Sam Okafor', 'sam@team.example')`,
  )
  await signIn(page)
})

test('An employee is added by keyboard and can be assigned to tasks', async ({
  page,
  expectedConsoleErrors,
}) => {
  // The server refuses an email address that another team member already has.
  expectedConsoleErrors.push(/status of 409/)
  await openTeam(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add without a sign-in' }).press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Please enter a name.')
  await expect(page.getByLabel(/^Email/)).toHaveAccessibleDescription(/Please enter an email/)
  await expectAccessible(page)
  await page.keyboard.type('Ana Ruiz')
  await page.keyboard.press('Tab')
  await page.keyboard.type('sam@team.example')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(/^Email/)).toHaveAccessibleDescription(
    'Another employee already has this email address.',
  )
  await page.getByLabel(/^Email/).fill('ana@team.example')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Saved')
  await expect(member(page, 'Ana Ruiz')).toBeVisible()
  await page.getByRole('tab', { name: 'Task Management' }).click()
  await page.getByRole('button', { name: 'Create Task' }).click()
  await expect(page.getByLabel('Assign To Employee')).toContainText('Ana Ruiz')
})

test('A deactivated employee keeps their tasks and cannot be assigned to new ones', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `insert into tasks (title, assigned_to) select 'Order brake pads', id from employees
     where email = 'sam@team.example'`,
  )
  await openTeam(page)
  await page.getByRole('switch', { name: 'Sam Okafor is active' }).click()
  await expect(notification(page)).toContainText('Sam Okafor is inactive')
  await notification(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(member(page, 'Sam Okafor')).toContainText('Inactive')
  await page.getByText('History', { exact: true }).click()
  const change = page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first()
  await expect(change).toContainText('Sam Okafor changed')
  await expect(change).toContainText('Active: yes → no')
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Task Management' }).click()
  const task = page.getByRole('article').filter({ hasText: 'Order brake pads' })
  await expect(task).toContainText('Sam Okafor')
  await page.getByRole('button', { name: 'Create Task' }).click()
  await expect(page.getByLabel('Assign To Employee')).toContainText('Unassigned')
  await expect(page.getByLabel('Assign To Employee')).not.toContainText('Sam Okafor')
  await shop.database.query(truncateTables('public.tasks'))
})

test('A concurrent change of an employee’s name is shown before it is overwritten', async ({
  page,
  shop,
  context,
}) => {
  await openTeam(page)
  await page.getByRole('button', { name: 'Edit Sam Okafor' }).click()
  await page.getByLabel('Name').fill('Samuel Okafor')
  const other = await context.newPage()
  await openTeam(other)
  await other.getByRole('button', { name: 'Edit Sam Okafor' }).click()
  await other.getByLabel(/^Email/).fill('s.okafor@team.example')
  await save(other).click()
  await expect(notification(other)).toContainText('Saved')

  await save(page).click()
  const notice = page.getByRole('alert').filter({ hasText: /^admin changed this/ })
  await notice.getByText('Show the changes').click()
  await expect(notice).toContainText('Email: sam@team.example → s.okafor@team.example')
  await expect(page.getByLabel('Name')).toHaveValue('Samuel Okafor')
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Invoices' }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await expect(question).toContainText('Name of Sam Okafor')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await save(page).click()
  await expect(member(page, 'Samuel Okafor')).toBeVisible()
  const { rows } = await shop.database.query(
    `select name, email from employees where email like '%@team.example'`,
  )
  expect(rows).toEqual([{ name: 'Samuel Okafor', email: 's.okafor@team.example' }])
})
