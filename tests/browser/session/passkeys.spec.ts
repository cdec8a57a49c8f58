import {
  adminLogin,
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import { addVirtualAuthenticator } from '#tests/browser/virtual-authenticator.ts'

test.beforeEach(async ({ shop, expectedConsoleErrors }) => {
  // The request that adds or removes a passkey fails once, because the server requires step-up authentication.
  expectedConsoleErrors.push(/403/)
  await shop.database.query(
    `delete from internal.passkeys; update internal.admin_sessions set confirmed_until = null`,
  )
})
test.afterEach(({ shop }) => shop.database.query('delete from internal.passkeys'))

const usePasskey = (page: Page) => page.getByRole('button', { name: 'Use a passkey' })

const passkey = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem').filter({ hasText: name })

/** Adds a passkey in the dashboard. If the page asks for step-up authentication, types the password. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of this device').fill(name)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
}

async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(adminLogin.password)
  await dialog.getByRole('button', { name: /^Confirm/ }).click()
}

/** Opens the page of the signed-in admin in a browser with a simulated device, and adds a passkey. */
async function withPasskey(page: Page) {
  const device = await addVirtualAuthenticator(page)
  await openDashboard(page, '/profile')
  await device.setPresent(true)
  await addPasskey(page, 'Counter laptop')
  await confirmPassword(page)
  await expect(passkey(page, 'Counter laptop')).toBeVisible()
  await device.setPresent(false)
  return device
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/admin-dashboard')
  await expect(usePasskey(page)).toBeEnabled()
}

const passkeysOf = async (shop: Shop) =>
  (await shop.database.query('select name from internal.passkeys order by created_at')).rows

test('A team member adds a passkey after confirming the password, and signs in with the passkey button @phone', async ({
  page,
}) => {
  const device = await addVirtualAuthenticator(page)
  await openDashboard(page, '/profile')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByLabel('Name of this device')).toBeFocused()
  await expect(page.getByLabel('Name of this device')).toHaveValue(/Chrome on/)
  await expectAccessible(page)
  await page.getByLabel('Name of this device').fill('Counter laptop')
  await page.keyboard.press('Enter')
  await confirmPassword(page)
  await expect(page.getByRole('button', { name: 'Waiting for your device…' })).toBeDisabled()
  await device.setPresent(true)
  await expect(page.getByText('Passkey added')).toBeVisible()
  await expect(passkey(page, 'Counter laptop')).toContainText('Not used yet.')
  expect(await device.count()).toBe(1)
  await expectAccessible(page)

  await device.setPresent(false)
  await logOut(page)
  await expectAccessible(page)
  await page.getByLabel('Password').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Login' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(usePasskey(page)).toBeFocused()
  await device.setPresent(true)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Login Successful')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await page.goto('/admin-dashboard/profile')
  await expect(page.getByText(/Used today\./)).toBeVisible()
})

test('A team member signs in with a passkey from the autofill list of the username field', async ({
  page,
}) => {
  const device = await withPasskey(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  // The simulated device chooses a passkey from the list as soon as the page requests one.
  await device.setPresent(true)
  await page.goto('/admin-dashboard')
  await expect(page.getByText('Login Successful')).toBeVisible()
})

test('A passkey with a wrong signature or without user verification shows the message for a wrong password', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/401/)
  const device = await withPasskey(page)
  for (const wrong of [{ signature: true }, { verification: true }]) {
    await logOutIfSignedIn(page)
    await device.setWrong(wrong)
    await device.setPresent(true)
    await usePasskey(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Login Error' })
    await expect(alert).toContainText('Invalid username or password')
  }
  await device.setPresent(false)
  await expectAccessible(page)
  await device.setWrong({})
  await device.setPresent(true)
  await usePasskey(page).click()
  await expect(page.getByText('Login Successful')).toBeVisible()
  expect(await passkeysOf(shop)).toEqual([{ name: 'Counter laptop' }])
})

async function logOutIfSignedIn(page: Page): Promise<void> {
  if (await page.getByRole('button', { name: 'Logout' }).isVisible()) await logOut(page)
}

test('A device without user verification cannot sign in with a passkey, but still with the password', async ({
  page,
}) => {
  const device = await withPasskey(page)
  await logOut(page)
  await device.setVerified(false)
  await device.setPresent(true)
  await usePasskey(page).click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill(adminLogin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login Successful')).toBeVisible()
})

test('A team member with several passkeys renames one and removes one', async ({ page, shop }) => {
  const device = await withPasskey(page)
  await device.remove()
  const phone = await addVirtualAuthenticator(page, { transport: 'usb' })
  await phone.setPresent(true)
  await addPasskey(page, 'Phone')
  await expect(passkey(page, 'Phone')).toBeVisible()
  expect(await passkeysOf(shop)).toEqual([{ name: 'Counter laptop' }, { name: 'Phone' }])

  await page.getByRole('button', { name: 'Rename Phone' }).click()
  await page.getByLabel('Name of this device').fill('Key on my ring')
  await page.keyboard.press('Enter')
  await expect(passkey(page, 'Key on my ring')).toBeVisible()

  await page.getByRole('button', { name: 'Remove… Counter laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove “Counter laptop”?' })
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  expect(await passkeysOf(shop)).toEqual([{ name: 'Key on my ring' }])
})

test('A passkey that is the only way to sign in cannot be removed', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/409/)
  await withPasskey(page)
  const { rows } = await shop.database.query<{ encrypted_password: string }>(
    `select encrypted_password from auth.users`,
  )
  await shop.database.query(`update auth.users set encrypted_password = ''`)
  try {
    await page.getByRole('button', { name: 'Remove… Counter laptop' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'This is your only way to sign in' })
    await expect(dialog).toContainText('Then remove “Counter laptop”.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByLabel('Name of this device')).toBeFocused()
    expect(await passkeysOf(shop)).toHaveLength(1)
  } finally {
    const { encrypted_password: password } = rows[0] ?? {}
    await shop.database.query('update auth.users set encrypted_password = $1', [password])
  }
})

test('The list of passkeys shows why a passkey was switched off', async ({ page, shop }) => {
  await withPasskey(page)
  await shop.database.query('update internal.passkeys set anomaly_count = 2, is_active = false')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('alert')).toContainText(
    '“Counter laptop” may have been copied',
  )
  await expectAccessible(page)
})

test('At a domain other than that of the site, the sign-in page explains why it offers no passkeys', async ({
  page,
}) => {
  await page.route('**/api/admin/passkey-sign-in/options', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replace('"rpId":"localhost"', '"rpId":"shop.example"')
    await route.fulfill({ response, body: text })
  })
  await page.goto('/admin-dashboard')
  await expect(page.getByText('Passkeys work at shop.example only.')).toBeVisible()
  await expect(usePasskey(page)).toBeHidden()
  await expectAccessible(page)
})

test('A passkey of a former domain of the site is marked in the profile and mentioned at the sign-in @phone', async ({
  page,
  shop,
  browser,
}) => {
  await withPasskey(page)
  await shop.database.query(`update internal.passkeys set rp_id = 'former.example'`)
  await page.reload()
  await expect(passkey(page, 'Counter laptop')).toContainText('former address')
  await expect(passkey(page, 'Counter laptop')).toContainText('Works at former.example only.')
  await expectAccessible(page)

  await logOut(page)
  const notice = 'Passkeys created at former.example do not work here'
  await expect(page.getByText(notice)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill(adminLogin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(
    page.getByText('Passkeys created at former.example do not work at localhost.'),
  ).toBeVisible()

  // In a browser in which nobody has signed in before, the sign-in page shows no notice about the passkeys of a former
  // domain.
  const context = await browser.newContext()
  const other = await context.newPage()
  const answered = other.waitForResponse('**/api/admin/login/former-passkeys')
  await other.goto(new URL('/admin-dashboard', page.url()).href)
  await answered
  await expect(usePasskey(other)).toBeEnabled()
  await expect(other.getByText(notice)).toBeHidden()
  await context.close()
})
