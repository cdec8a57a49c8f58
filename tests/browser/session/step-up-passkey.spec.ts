import {
  adminLogin,
  expect,
  expectAccessible,
  openDashboard,
  type Page,
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

const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const usePasskey = (page: Page) => stepUp(page).getByRole('button', { name: 'Use a passkey' })

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of this device').fill(name)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
}

/**
 * Adds the passkey 'Counter laptop' after confirming the password, lets the step-up authentication expire, and presses
 * the button that removes the passkey.
 */
async function askToRemovePasskey(page: Page, forget: () => Promise<unknown>) {
  const device = await addVirtualAuthenticator(page)
  await openDashboard(page, '/profile')
  await device.setPresent(true)
  await addPasskey(page, 'Counter laptop')
  await stepUp(page).getByLabel('Password').fill(adminLogin.password)
  await stepUp(page).getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await device.setPresent(false)
  await forget()
  await page.getByRole('button', { name: 'Remove… Counter laptop' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(usePasskey(page)).toBeFocused()
  return device
}

test('A team member confirms an action with a passkey, whose button is above the password @phone', async ({
  page,
  shop,
}) => {
  const forget = () =>
    shop.database.query('update internal.admin_sessions set confirmed_until = null')
  const device = await askToRemovePasskey(page, forget)
  await expect(stepUp(page)).toContainText('Confirm with your passkey.')
  await expect(stepUp(page).getByRole('button', { name: 'Confirm with password' })).toBeVisible()
  await expectAccessible(page)
  await device.setPresent(true)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(stepUp(page)).toBeHidden()
})

test('A wrong passkey response confirms nothing, Cancel returns to the choice of the method, and the password can still be used', async ({
  page,
  shop,
}) => {
  const forget = () =>
    shop.database.query('update internal.admin_sessions set confirmed_until = null')
  const device = await askToRemovePasskey(page, forget)
  await usePasskey(page).click()
  await expect(stepUp(page)).toContainText(
    'Look at your device. Touch its sensor or unlock the device.',
  )
  await expectAccessible(page)
  await stepUp(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(stepUp(page)).toContainText('No passkey was used')
  await device.setWrong({ signature: true })
  await device.setPresent(true)
  await usePasskey(page).click()
  await expect(stepUp(page)).toContainText('This passkey was not accepted')
  await expectAccessible(page)
  await stepUp(page).getByLabel('Password').fill(adminLogin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passkey removed')).toBeVisible()
})
