import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  notification,
  openDashboard,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'

test.use({ expectedConsoleErrors: [/status of 40[013]/] })

test.beforeEach(async ({ page, shop }) => {
  await nameAdmin(shop, 'Lena Marsh', null)
  await openDashboard(page)
  await forgetConfirmations(shop)
})
test.afterEach(({ shop }) => nameAdmin(shop, 'admin', null))

async function nameAdmin(shop: Shop, name: string, email: string | null): Promise<void> {
  await shop.database.query(
    `update public.staff_accounts set name = $1, email = $2 where username = 'admin'`,
    [name, email],
  )
}

const account = (page: Page) =>
  page.getByLabel('Lena Marsh, Owner. Profile and sessions').filter({ visible: true })
const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const open = (page: Page) => page.goto('/admin-dashboard/profile')

/** Returns the number of pixels by which the page is wider than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Inserts a sign-in session into the database, as if the admin had signed in with another browser. */
async function addSession(shop: Shop, device: string): Promise<void> {
  await shop.database.query(
    `insert into internal.admin_sessions (token_hash, user_id, username, device, network_address)
     select sha256(convert_to($1, 'UTF8')), user_id, username, $1, '203.0.113.7'
     from public.staff_accounts where username = 'admin'`,
    [device],
  )
}

async function confirmWith(page: Page, password: string): Promise<void> {
  await stepUp(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

test('the navigation bar names the team member, who opens the profile by keyboard @phone', async ({
  page,
}) => {
  await account(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Lena Marsh Owner' })).toBeVisible()
  await expect(page.getByText('Username admin')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expectAccessible(page)
})

test('on the narrowest phones, Settings is in the menu of the team member', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden()
  await account(page).press('Enter')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Profile' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden()
  await account(page).press('Enter')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Shop', exact: true })).toBeVisible()
})

test('the navigation bar fits into windows of every width, even with a long name', async ({
  page,
  shop,
}) => {
  await nameAdmin(shop, 'Maximiliana Featherstonehaugh', null)
  await page.reload()
  const logout = page.getByRole('button', { name: 'Logout' })
  for (const width of [320, 383, 384, 767, 768, 1183, 1184, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(logout).toBeInViewport({ ratio: 1 })
    expect(await overflow(page)).toBe(0)
  }
})

test('a team member signs out one other device, then all other devices @phone', async ({
  page,
  shop,
}) => {
  for (const device of ['Safari on iPhone', 'Firefox on Linux', 'Edge on Windows']) {
    await addSession(shop, device)
  }
  await open(page)
  const sessions = page.getByRole('region', { name: 'Signed in on' })
  await expect(sessions.getByRole('listitem').first()).toContainText('this one')
  await expect(sessions.getByText('from 203.0.113.7.')).toHaveCount(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).press('Enter')
  await expect(notification(page)).toContainText('The device has to sign in again.')
  await expect(sessions.getByText('Safari on iPhone')).toHaveCount(0)
  await expect(sessions.getByRole('heading')).toBeFocused()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).press('Enter')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  const { rows } = await shop.database.query(
    `select device from internal.admin_sessions where network_address = '203.0.113.7'`,
  )
  expect(rows).toEqual([])
})

test('the navigation bar shows a new name immediately @phone', async ({ page }) => {
  await open(page)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('')
  await name.press('Enter')
  await expect(page.getByText('Please enter your name.')).toBeVisible()
  await name.fill('x'.repeat(81))
  await name.press('Enter')
  await expect(page.getByText('Please enter a name of at most 80 characters.')).toBeVisible()
  await name.fill('Ana Reyes')
  await name.press('Enter')
  await expect(
    page.getByLabel('Ana Reyes, Owner. Profile and sessions').filter({ visible: true }),
  ).toBeVisible()
})

test('a team member changes the email address after step-up authentication; cancelling the authentication keeps the typed address @phone', async ({
  page,
  shop,
}) => {
  await open(page)
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill('lena@shop.example')
  await email.press('Enter')
  await expect(stepUp(page)).toContainText('You are about to change your email address.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(stepUp(page)).toBeHidden()
  await expect(email).toHaveValue('lena@shop.example')
  await page.getByRole('button', { name: 'Change email' }).press('Enter')
  await confirmWith(page, 'not the password')
  await expect(stepUp(page)).toContainText('This password is wrong')
  await confirmWith(page, adminLogin.password)
  await expect(notification(page)).toContainText('Your email address is lena@shop.example.')
  const { rows } = await shop.database.query(
    `select email from public.staff_accounts where username = 'admin'`,
  )
  expect(rows).toEqual([{ email: 'lena@shop.example' }])
})

test('a new password signs out every other device, but not the current one', async ({
  page,
  shop,
}) => {
  await addSession(shop, 'Safari on iPhone')
  await open(page)
  const password = page.getByLabel('New password')
  await password.fill('short')
  await password.press('Enter')
  await confirmWith(page, adminLogin.password)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('The password must have at least 12 characters.')).toBeVisible()
  // Step-up authentication is valid for five minutes, so the page does not ask for the password again.
  await password.fill('a much better password')
  await password.press('Enter')
  await expect(notification(page)).toContainText('Every other device is signed out.')
  await expect(password).toHaveValue('')
  await expect(page.getByText('Safari on iPhone')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Task Management' }).click()
  await expect(page.getByRole('button', { name: 'Create Task' }).first()).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Please log in again' })).toBeHidden()

  await page.goto('/admin-dashboard/profile')
  await password.fill(adminLogin.password)
  await password.press('Enter')
  await expect(notification(page)).toContainText('Every other device is signed out.')
})

test('activity in an open page extends the sign-in session', async ({ page, shop }) => {
  await page.clock.install()
  await open(page)
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible()
  await shop.database.query(
    `update internal.admin_sessions set last_used_at = now() - interval '11 hours'`,
  )
  const isUsed = async () => {
    const { rows } = await shop.database.query<{ used: boolean }>(
      `select bool_or(last_used_at > now() - interval '1 minute') as used from internal.admin_sessions`,
    )
    return rows[0]?.used
  }
  await page.keyboard.press('Tab')
  await page.clock.fastForward('11:00')
  expect(await isUsed()).toBe(false)
  const reported = page.waitForResponse('**/api/admin/me')
  await page.keyboard.press('Tab')
  await reported
  expect(await isUsed()).toBe(true)
})
