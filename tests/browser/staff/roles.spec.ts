import {
  expect,
  expectAccessible,
  openDashboard,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import { resetShop } from '#tests/browser/sample-records.ts'
import { addQuote, clearQuotes } from '#tests/browser/shop-records.ts'

const otherOwner = '00000000-0000-4000-8000-00000000000c'

test.afterEach(({ shop }) => setRole(shop, 'owner'))

/** Changes the role of the signed-in staff account, as another owner would. */
async function setRole(shop: Shop, role: string): Promise<void> {
  await shop.database.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'lena', 'owner') on conflict do nothing`,
    [otherOwner],
  )
  await shop.database.query(`update public.staff_accounts set role = $1 where username = 'admin'`, [
    role,
  ])
}

test('an advisor can do the work at the counter, and sees neither deletions nor settings that concern money @phone', async ({
  page,
  shop,
}) => {
  await clearQuotes(shop)
  await addQuote(shop, { name: 'Dana Whitfield' })
  await openDashboard(page, '/quotes')
  const remove = page.getByRole('button', { name: /^Delete\b/ })
  await expect(remove).toBeVisible()

  await setRole(shop, 'advisor')
  await page.reload()
  await expect(page.getByRole('button', { name: /^Reply\b/ })).toBeVisible()
  await expect(remove).toHaveCount(0)

  await page.goto('/admin-dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Shop', exact: true })).toBeVisible()
  const sections = page.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByText('Hours and closures').last()).toBeAttached()
  for (const hidden of ['Team', 'Payments', 'Email', 'Estimates and tax', 'Backup']) {
    await expect(sections.getByText(hidden, { exact: true })).toHaveCount(0)
  }

  await page.goto('/admin-dashboard/settings/team')
  await expect(page.getByText('Team is for the owner')).toBeVisible()
  await expect(page.getByText('You are signed in as admin, Advisor.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Appointments' }).click()
  await expect(page).toHaveURL(/\/admin-dashboard\/appointments/)
})

test('an advisor sees the setup steps of the role, without the buttons of an owner', async ({
  page,
  shop,
}) => {
  await resetShop(shop)
  await openDashboard(page)
  const card = page.getByRole('region', { name: /^Set up your shop/ })
  const buttons = card.getByRole('button', { name: /^(Hide|Add a sample week)$/ })
  await expect(card).toContainText('of 10 done')
  await expect(buttons).toHaveCount(2)

  await setRole(shop, 'advisor')
  await page.reload()
  await expect(card).toContainText('0 of 4 done')
  await expect(card.getByRole('link')).toHaveText([
    'Name, address, phones, emails',
    'Opening hours',
    'Bays',
    'Services and durations',
  ])
  await expect(buttons).toHaveCount(0)
  await card.getByRole('button', { name: /^Looks good.*Opening hours/ }).click()
  await expect(card).toContainText('1 of 4 done')
  await expectAccessible(page)
  await card.getByRole('link', { name: 'Bays' }).click()
  await expect(page).toHaveURL(/\/settings\/bays/)
  await expect(page.getByText('Set up your shop: 1 of 4 done')).toBeVisible()
})
