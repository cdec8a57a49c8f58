import { expect, openDashboard, test } from '#tests/browser/fixtures.ts'

test.afterEach(({ shop }) =>
  shop.database.query(`update staff_accounts set name = username where username = 'admin'`),
)

test('a history names the team member, and the shared username for actions from before the account existed', async ({
  page,
  shop,
}) => {
  await shop.database.query(
    `update staff_accounts set name = 'Luis Navarro' where username = 'admin';
     alter table settings_history disable trigger all;
     delete from settings_history where section = 'rules';
     alter table settings_history enable trigger all;
     insert into settings_history (section, subject, action, before, after, changed_by_name, changed_at)
     select 'rules', '', 'changed', '{"notice_minutes": 120}', '{"notice_minutes": 180}', username, at
     from staff_accounts, unnest(array[created_at - interval '1 minute', created_at + interval '1 minute']) at
     where username = 'admin'`,
  )
  await openDashboard(page, '/settings/rules')
  await page.getByText('History', { exact: true }).first().click()
  const changes = page
    .getByRole('list', { name: 'Changes' })
    .getByRole('listitem')
    .filter({ has: page.locator('time') })
  await expect(changes.nth(0)).toContainText('Luis Navarro, ')
  await expect(changes.nth(1)).toContainText('admin, ')
})
