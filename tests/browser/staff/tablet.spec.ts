import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  logIn,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { smallTargets } from '#tests/browser/small-targets.ts'

/** Makes the browser of the page a shared tablet, and gives the admin account of the shop the PIN 2580. */
async function enroll(page: Page, name: string) {
  const { request } = page
  await request.post('/api/admin/login', { data: adminLogin })
  await request.post('/api/admin/confirm-password', { data: { password: adminLogin.password } })
  await request.post('/api/admin/profile/pin', { data: { pin: '2580' } })
  const response = await request.post('/api/admin/tablets', { data: { name } })
  expect(response.status()).toBe(200)
}

/**
 * Returns the status of a request that needs a sign-in session: 401 without a session, 403 with the session of a
 * tablet.
 */
async function statusOfProfile(page: Page): Promise<number> {
  return (await page.request.get('/api/admin/profile')).status()
}

/** Revokes the tablets and deletes the PINs of these tests. */
const removeTablets = (shop: Shop) =>
  shop.database.query(
    'update internal.tablets set revoked_at = now(); delete from internal.tablet_pins; delete from internal.tablet_attempts',
  )

test.afterEach(({ shop }) => removeTablets(shop))

test('a team member opens the tablet by PIN, and it locks two minutes after the last touch @phone', async ({
  page,
  expectedConsoleErrors,
}) => {
  // The wrong PIN.
  expectedConsoleErrors.push(/403/)
  const alert = page.getByRole('main').getByRole('alert')
  await page.clock.install()
  await enroll(page, 'Bay tablet')
  await page.goto('/tablet')
  await expect(page.getByRole('heading', { name: 'Who is working?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /admin/ }).click()
  await expectAccessible(page)
  expect(await smallTargets(page, { widthPx: 60, heightPx: 60 })).toEqual([])
  await page.keyboard.type('2589')
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('status', { name: '3 digits typed' })).toBeVisible()
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await expect(alert).toHaveText('This PIN is wrong. 4 tries left.')
  await page.keyboard.type('2580')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('button', { name: 'Lock' })).toBeVisible()
  await page.clock.runFor(106_000)
  await expect(alert).toContainText('Touch the screen to stay signed in.')
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(alert).toBeHidden()
  await page.clock.runFor(121_000)
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  // The page locks before the server has ended the sign-in session.
  await expect.poll(() => statusOfProfile(page)).toBe(401)
})

test('a revoked tablet shows that it was revoked', async ({ page, shop }) => {
  await enroll(page, 'Bay tablet')
  await page.goto('/tablet')
  await expect(page.getByRole('heading', { name: 'Who is working?' })).toBeVisible()
  await removeTablets(shop)
  await expect(page.getByRole('heading', { name: 'This tablet was revoked.' })).toBeVisible()
})

const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** Opens the team settings and waits for the lists, because a list that still loads would move the buttons below it. */
async function openTeam(page: Page): Promise<void> {
  await page.goto('/admin-dashboard/settings/team')
  await expect(page.getByRole('heading', { name: 'Shared tablets' })).toBeVisible()
  await expect(page.locator('.team-skeleton')).toHaveCount(0)
}

async function confirm(page: Page): Promise<void> {
  await stepUp(page).getByLabel('Password').fill(adminLogin.password)
  await page.keyboard.press('Enter')
}

test('an owner enrolls a tablet in the team settings, and revokes it @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  // The server refuses the enrollment until the step-up authentication. Afterwards the server refuses requests of the
  // admin's sign-in session, because the enrollment has ended that session.
  expectedConsoleErrors.push(/40[13]/)
  await signIn(page)
  await forgetConfirmations(shop)
  await openTeam(page)
  await page.getByRole('button', { name: 'Enroll a tablet' }).click()
  await page.getByLabel('Name of this tablet').fill('Alignment rack')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Enroll this browser' }).click()
  await confirm(page)
  await expect(page.getByRole('heading', { name: 'Who is working?' })).toBeVisible()
  expect(await statusOfProfile(page)).toBe(401)
  await logIn(page)
  await openTeam(page)
  const row = page.getByRole('list', { name: 'Shared tablets' }).getByRole('listitem')
  await expect(row).toContainText('Alignment rack')
  await row.getByRole('button', { name: 'Revoke… Alignment rack' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(notification(page)).toContainText('Alignment rack can no longer be used.')
  await expect(row).toHaveCount(0)
  await page.goto('/tablet')
  await expect(page.getByRole('heading', { name: 'This tablet was revoked.' })).toBeVisible()
})

test('a team member sets a PIN in the profile, and an owner removes it', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  // The server refuses the PIN before the step-up authentication, and refuses a weak PIN.
  expectedConsoleErrors.push(/40[03]/)
  await signIn(page)
  await forgetConfirmations(shop)
  await page.goto('/admin-dashboard/profile')
  await page.getByLabel('New PIN').fill('1234')
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  await confirm(page)
  await expect(page.getByText('Please choose 4 to 6 digits')).toBeVisible()
  await page.getByLabel('New PIN').fill('2580')
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  await expect(notification(page)).toContainText('PIN saved')
  await expect(page.getByRole('button', { name: 'Change the PIN' })).toBeVisible()
  await openTeam(page)
  await page.getByRole('button', { name: 'More for admin' }).click()
  await page.getByRole('button', { name: 'Clear PIN' }).click()
  await expect(notification(page)).toContainText('PIN cleared')
  await page.getByRole('button', { name: 'More for admin' }).click()
  await expect(page.getByRole('button', { name: 'Rename…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear PIN' })).toBeHidden()
})
