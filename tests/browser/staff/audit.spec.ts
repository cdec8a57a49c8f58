import {
  adminLogin,
  expect,
  expectAccessible,
  openDashboard,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

const lena = '00000000-0000-4000-8000-00000000000d'

test('the audit log names who changed a role, filters by the kind of event, and keeps the filter in the URL @phone', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `insert into staff_accounts (user_id, username, name, role) values ($1, 'lenam', 'Lena Marsh', 'advisor') on conflict do nothing`,
    [lena],
  )
  await shop.database.query(
    `update staff_accounts set role = case role when 'advisor' then 'technician' else 'advisor' end where user_id = $1`,
    [lena],
  )
  // Earlier tests on this shop may have added entries about exports to the audit log.
  await shop.database.query(
    `begin; set local session_replication_role = replica;
     delete from audit_events where kind in ('customer_exported', 'files_exported', 'erased', 'lines_removed'); commit`,
  )
  await openDashboard(page, '/settings/audit')
  const lines = page.getByRole('region', { name: 'Lines of the audit' }).getByRole('listitem')
  const roleLine = lines.filter({
    hasText: /Lena Marsh: (Advisor to technician|Technician to advisor)/,
  })
  await expect(roleLine.first()).toContainText('The server')
  await expect(lines.filter({ hasText: 'Signed in' }).first()).toContainText('Owner')
  await expectAccessible(page)

  await page.getByLabel('What').selectOption('Sign-ins')
  await expect(roleLine).toHaveCount(0)
  await expect(lines.first()).toContainText('Signed in')
  await expect(page).toHaveURL(/what=sign-ins/)
  await page.reload()
  await expect(page.getByLabel('What')).toHaveValue('sign-ins')

  await page.getByLabel('What').selectOption('Exports and erasures')
  await page.getByLabel('When').selectOption('Last 30 days')
  await expect(
    page.getByText('Nothing was recorded in this time. Choose a longer one.'),
  ).toBeVisible()
})

test('the audit log loads older entries on request, and shows an error when it cannot be loaded', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await withoutLiveEvents(page)
  await shop.database.query(
    `insert into audit_events (kind, detail) select 'files_exported', 'payments, number ' || number from generate_series(1, 60) number`,
  )
  const address = '**/rest/v1/rpc/read_audit'
  await page.route(address, (route) => route.fulfill({ status: 500, json: {} }))
  await openDashboard(page, '/settings/audit?what=exports')
  await expect(page.getByText('The audit could not be loaded.')).toBeVisible()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(
    page.getByText('File for the accountant: payments, number 60', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('number 1', { exact: false }).last()).toContainText('number 11')
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(
    page.getByText('File for the accountant: payments, number 1', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show older' })).toHaveCount(0)
})

test('the audit log can be searched, can be filtered by person, and shows new entries on request', async ({
  page,
  shop,
}) => {
  const rosa = '00000000-0000-4000-8000-0000000000e1'
  const add = (detail: string) =>
    shop.database.query(
      `insert into audit_events (kind, user_id, detail) values ('files_exported', $1, $2)`,
      [rosa, detail],
    )
  await shop.database.query(
    `insert into staff_accounts (user_id, username, name, role) values ($1, 'rosa', 'Rosa Prado', 'advisor') on conflict do nothing`,
    [rosa],
  )
  await add('payments, first')
  await add('refunds, second')
  await openDashboard(page, '/settings/audit')
  const lines = page.getByRole('region', { name: 'Lines of the audit' }).getByRole('listitem')
  await page.getByLabel('Who').selectOption('Rosa Prado')
  await expect(page).toHaveURL(new RegExp(`who=${rosa}`))
  await expect(lines.filter({ hasText: 'payments, first' })).toHaveCount(1)
  await expect(lines.filter({ hasText: 'Signed in' })).toHaveCount(0)
  await page.getByLabel('Search').fill('REFUNDS')
  await expect(lines.filter({ hasText: 'payments, first' })).toHaveCount(0)
  await expect(lines.filter({ hasText: 'refunds, second' })).toHaveCount(1)
  expect(page.url()).not.toMatch(/refunds/i)
  await page.getByLabel('Search').fill('')
  await expect(lines.filter({ hasText: 'payments, first' })).toHaveCount(1)
  await add('deposits, third')
  await page.getByRole('button', { name: '1 new line' }).click({ timeout: 20_000 })
  await expect(lines.first()).toContainText('deposits, third')
  await expect(page.getByRole('button', { name: '1 new line' })).toHaveCount(0)
  await expectAccessible(page)
  await shop.database.query(
    `begin; set local session_replication_role = replica; delete from audit_events where user_id = '${rosa}';
     delete from staff_accounts where user_id = '${rosa}'; commit`,
  )
})

test('the audit log is downloaded after step-up authentication', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/403/)
  await openDashboard(page, '/settings/audit')
  await shop.database.query('update internal.admin_sessions set confirmed_until = null')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(dialog).toContainText('You are about to download the audit.')
  await dialog.getByLabel('Password').fill(adminLogin.password)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toBe('audit.csv')
})

test('an audit entry names the means by which the team member confirmed the action @phone', async ({
  page,
  shop,
}) => {
  await withoutLiveEvents(page)
  await shop.database.query(
    `insert into audit_events (kind, detail, confirmed_with)
     values ('files_exported', 'payments of spring', 'passkey'), ('files_exported', 'payments of fall', 'password'),
       ('files_exported', 'payments of winter', null)`,
  )
  await openDashboard(page, '/settings/audit?what=exports')
  const line = (detail: string) => page.getByRole('listitem').filter({ hasText: detail })
  await expect(line('of spring')).toContainText('Confirmed with a passkey')
  await expect(line('of fall')).toContainText('Confirmed with the password')
  await expect(line('of winter')).not.toContainText('Confirmed')
  await expectAccessible(page)
  await shop.database.query(
    `begin; set local session_replication_role = replica;
     delete from audit_events where detail like 'payments of %'; commit`,
  )
})
