import * as otpauth from 'otpauth'
import {
  adminLogin,
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  test,
} from '#tests/browser/fixtures.ts'

test.beforeEach(async ({ shop, expectedConsoleErrors }) => {
  // Some requests fail once with the status 401 or 403, because the server first requires step-up authentication and a
  // code of the authenticator app.
  expectedConsoleErrors.push(/40[13]/)
  await shop.database.query(
    `delete from internal.code_apps; update internal.admin_sessions set confirmed_until = null`,
  )
})
test.afterEach(({ shop }) =>
  shop.database.query('delete from internal.pending_sign_ins; delete from internal.code_apps'),
)

const card = (page: Page) => page.getByRole('region', { name: 'Authenticator app' })

/** Sets up the authenticator app in the profile, and returns the first recovery code. */
async function setUp(page: Page): Promise<string> {
  await openDashboard(page, '/profile')
  await card(page).getByRole('button', { name: 'Set up' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await stepUp.getByLabel('Password').fill(adminLogin.password)
  await stepUp.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(card(page).getByRole('img', { name: /^QR code/ })).toBeVisible()
  await expectAccessible(page)
  const shown = await card(page).locator('form b').innerText()
  const secret = otpauth.Secret.fromBase32(shown.replaceAll(' ', ''))
  await card(page).getByLabel('Code').fill(new otpauth.TOTP({ secret }).generate())
  await page.keyboard.press('Enter')
  await expect(card(page).locator('code')).toHaveCount(10)
  await expectAccessible(page)
  return card(page).locator('code').first().innerText()
}

test('A team member sets up an authenticator app, and signs in with a recovery code @phone', async ({
  page,
  browser,
}) => {
  const recoveryCode = await setUp(page)
  await card(page).getByRole('button', { name: 'I saved the codes' }).click()
  await expect(card(page)).toContainText('10 of 10 recovery codes left.')

  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(new URL('/admin-dashboard', page.url()).href)
  await other.getByLabel('Username').fill(adminLogin.username)
  await other.getByLabel('Password').fill(adminLogin.password)
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { name: 'Your code' })).toBeVisible()
  await expect(other.getByText('Login Error')).toBeHidden()
  await expect(other.getByLabel('Code')).toBeFocused()
  await expectAccessible(other)
  await other.getByLabel('Code').fill('abc')
  await other.keyboard.press('Enter')
  await expect(other.getByText('Login Error')).toBeVisible()
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill(recoveryCode)
  await other.keyboard.press('Enter')
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible()
  await context.close()
})

test('After too many wrong codes of the authenticator app, message and button count the waiting time down @phone', async ({
  page,
  browser,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/429/)
  await setUp(page)
  const context = await browser.newContext()
  const other = await context.newPage()
  await other.clock.install()
  await other.goto(new URL('/admin-dashboard', page.url()).href)
  await other.getByLabel('Username').fill(adminLogin.username)
  await other.getByLabel('Password').fill(adminLogin.password)
  await other.keyboard.press('Enter')
  const message = 'Too many attempts. Please try again in 4 minutes.'
  await other.route('**/api/admin/login/code', (route) =>
    route.fulfill({
      status: 429,
      json: { ok: false, code: 'RATE_LIMITED', message, waitSeconds: 238 },
    }),
  )
  await other.getByLabel('Code').fill('000000')
  await other.keyboard.press('Enter')
  const alert = other.getByRole('region', { name: 'Admin Dashboard' }).getByRole('alert')
  await expect(alert).toContainText('Login Error')
  await expect(alert).toContainText(message)
  const button = other.getByRole('button', { name: /^Login/ })
  await expect(button).toHaveText(/^Login in 3:5\d$/)
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(other)
  await other.clock.fastForward(120_000)
  await expect(button).toHaveText(/^Login in 1:5\d$/)
  await expect(alert).toContainText('Please try again in 2 minutes.')
  await other.clock.fastForward(120_000)
  await expect(button).toHaveText('Login')
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  await expect(alert).toBeEmpty()
  await context.close()
})

test('A team member switches off the authenticator app', async ({ page }) => {
  await setUp(page)
  await card(page).getByRole('button', { name: 'I saved the codes' }).click()
  await card(page).getByRole('button', { name: 'Switch off authenticator app…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('Authenticator app switched off')).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Set up' })).toBeVisible()
})
