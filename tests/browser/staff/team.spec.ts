import { randomUUID } from 'node:crypto'
import * as otpauth from 'otpauth'
import {
  adminLogin,
  expect,
  expectAccessible,
  type Locator,
  notification,
  type Page,
  type Shop,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addVirtualAuthenticator } from '#tests/browser/virtual-authenticator.ts'

const password = 'a long password of Mei'

test.beforeEach(async ({ shop, page }) => {
  await shop.database.query(
    `delete from internal.pending_sign_ins;
     delete from internal.code_apps;
     delete from internal.passkeys;
     delete from staff_invitations;
     delete from staff_accounts where username <> 'admin';
     update staff_accounts set role = 'owner', is_active = true;
     delete from auth.users where email not like 'admin@%';
     delete from tasks; delete from employees;
     update internal.admin_sessions set confirmed_until = null`,
  )
  await signIn(page)
})

test.afterEach(({ shop }) =>
  shop.database.query(
    'delete from internal.passkeys; delete from internal.code_apps; delete from internal.tablet_pins',
  ),
)

/** Adds a team member with a staff account, but without a user of the auth service, which these tests do not need. */
async function addMember(shop: Shop, name: string, role: string): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `with employee as (insert into employees (name, email) values ($1, lower($2) || '@team.example') returning id, email)
     insert into staff_accounts (user_id, username, name, email, role, employee_id)
     select $3, lower($2), $1, email, $4, id from employee returning employee_id as id`,
    [name, name.split(' ')[0], randomUUID(), role],
  )
  return rows[0]?.id ?? ''
}

async function openTeam(page: Page): Promise<Locator> {
  await page.goto('/admin-dashboard/settings/team')
  const list = page.getByRole('list', { name: 'People' })
  await expect(list).toContainText('admin (you)')
  return list
}
const rowOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'People' }).locator('> li').filter({ hasText: name })
const more = async (page: Page, of: string, action: string) => {
  await page.getByRole('button', { name: `More for ${of}` }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}

async function linkIn(shop: Shop, email: string): Promise<string> {
  const { rows } = await shop.database.query<{ text: string }>(
    `select text_body as text from emails where kind = 'invitation' and recipient_email = $1
     order by created_at desc limit 1`,
    [email],
  )
  return /\/join\/[\w-]+/.exec(rows[0]?.text ?? '')?.[0] ?? ''
}

async function confirmPassword(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByLabel('Password').fill(adminLogin.password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toBeHidden()
}

/** Sets up the authenticator app on the page that the site shows instead of the dashboard. */
async function setUpRequiredCodeApp(guest: Page): Promise<void> {
  const heading = guest.getByRole('heading', { name: 'Set up your authenticator app' })
  await expect(heading).toBeVisible()
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'Set up' }).click()
  const question = guest.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByLabel('Password').fill(password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(guest.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await expectAccessible(guest)
  const shown = await guest.locator('form b').innerText()
  const secret = otpauth.Secret.fromBase32(shown.replaceAll(' ', ''))
  await guest.getByRole('textbox', { name: 'Code' }).fill(new otpauth.TOTP({ secret }).generate())
  await guest.keyboard.press('Enter')
  await expect(guest.locator('code')).toHaveCount(10)
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'I saved the codes' }).click()
}

test('an invited person chooses a password, sets up an authenticator app and is signed in @phone', async ({
  page,
  shop,
  browser,
}) => {
  await openTeam(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Invite a person' })
  await expect(panel.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByLabel('Name')).toHaveAccessibleDescription('Please enter a name.')
  await panel.getByLabel('Name').fill('Mei Kato')
  await panel.getByRole('textbox', { name: 'Email' }).fill('Mei.Kato@team.example')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Email is not set up')
  await expect(notification(page)).toContainText('Username: mei')
  await expect(rowOf(page, 'Mei Kato')).toContainText('invited')
  await expect(page.getByText('1 active, 1 invited.')).toBeVisible()

  const other = await browser.newContext({ baseURL: shop.url })
  const guest = await other.newPage()
  await guest.goto(await linkIn(shop, 'mei.kato@team.example'))
  await expect(guest.getByRole('heading', { name: 'Welcome, Mei.' })).toBeVisible()
  await expect(guest.getByText('admin invites you as Advisor.')).toBeVisible()
  await expect(guest.getByText('Your username is mei.')).toBeVisible()
  await expectAccessible(guest)
  await guest.getByText('Use a password instead').click()
  await guest.getByLabel('New password').fill('short')
  await guest.getByRole('button', { name: 'Continue' }).click()
  await expect(guest.getByLabel('New password')).toHaveAccessibleDescription(
    'The password must have at least 12 characters.',
  )
  await expectAccessible(guest)
  await guest.getByLabel('New password').fill(password)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { name: 'You have joined, Mei.' })).toBeVisible()
  await guest.getByRole('link', { name: 'Set up an authenticator app' }).click()
  await setUpRequiredCodeApp(guest)
  await expect(guest.getByRole('tab', { name: 'Invoices' })).toBeVisible()
  await guest.goto('/admin-dashboard/settings/team')
  await expect(guest.getByText('You are signed in as mei, Advisor.')).toBeVisible()
  await other.close()
  // After the live event about the accepted invitation, the page shows the new team member.
  await expect(rowOf(page, 'Mei Kato')).toContainText('active')
})

test('an invited person creates a passkey, and is signed in without an authenticator app @phone', async ({
  page,
  shop,
  browser,
}) => {
  await openTeam(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Invite a person' })
  await panel.getByLabel('Name').fill('Mei Kato')
  await panel.getByRole('textbox', { name: 'Email' }).fill('mei.kato@team.example')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await expect(rowOf(page, 'Mei Kato')).toContainText('invited')

  const other = await browser.newContext({ baseURL: shop.url })
  const guest = await other.newPage()
  const device = await addVirtualAuthenticator(guest)
  await guest.goto(await linkIn(shop, 'mei.kato@team.example'))
  await expect(guest.getByLabel('Name of this device')).toHaveValue(/Chrome on/)
  await guest.getByLabel('Name of this device').fill(' ')
  await guest.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(guest.getByText('Please enter a name.')).toBeVisible()
  await expectAccessible(guest)
  await guest.getByLabel('Name of this device').fill('Phone of Mei')
  await device.setPresent(true)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { name: 'You have joined, Mei.' })).toBeFocused()
  await expectAccessible(guest)
  expect(await device.count()).toBe(1)
  await guest.getByRole('link', { name: 'Open the dashboard' }).click()
  await expect(guest.getByRole('tab', { name: 'Invoices' })).toBeVisible()
  await other.close()
  await expect(rowOf(page, 'Mei Kato')).toContainText('active')
  await shop.database.query('delete from internal.passkeys')
})

test('an invitation is sent again and then revoked', async ({
  page,
  shop,
  browser,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  await openTeam(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Invite a person' })
  await panel.getByLabel('Name').fill('Ben Novak')
  await panel.getByRole('textbox', { name: 'Email' }).fill('ben@team.example')
  await panel.getByRole('radio', { name: /^Owner/ }).check()
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await confirmPassword(page)
  await expect(rowOf(page, 'Ben Novak')).toContainText('Owner')
  const first = await linkIn(shop, 'ben@team.example')
  await page.getByRole('button', { name: 'Send again to Ben Novak' }).click()
  await expect(notification(page)).toContainText('New link sent')
  const second = await linkIn(shop, 'ben@team.example')
  expect(second).not.toBe(first)

  const other = await browser.newContext({ baseURL: shop.url })
  const guest = await other.newPage()
  await guest.goto(second)
  await expect(guest.getByRole('heading', { name: 'Welcome, Ben.' })).toBeVisible()
  await more(page, 'the invitation of Ben Novak', 'Take back')
  await expect(notification(page)).toContainText('Taken back')
  await expect(rowOf(page, 'Ben Novak')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Invite', exact: true })).toBeFocused()
  await guest.getByText('Use a password instead').click()
  await guest.getByLabel('New password').fill(password)
  await guest.getByRole('button', { name: 'Continue' }).click()
  const heading = guest.getByRole('heading', { name: 'This invitation is not valid.' })
  await expect(heading).toBeVisible()
  await expectAccessible(guest)
  await guest.goto(first)
  await expect(heading).toBeVisible()
  await other.close()
})

test('an owner changes a role after confirming the password, and restores it with Undo @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  await addMember(shop, 'Ana Reyes', 'technician')
  await openTeam(page)
  const role = page.getByRole('combobox', { name: 'Role of Ana Reyes' })
  await role.selectOption('Advisor')
  await confirmPassword(page)
  await expect(notification(page)).toContainText('Ana Reyes is Advisor now')
  await expect(role).toHaveValue('advisor')
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notification(page)).toContainText('Ana Reyes is Technician now')
  await expect(role).toHaveValue('technician')
})

test('an owner switches off a team member, whose open tasks are transferred, and switches the account on again @phone', async ({
  page,
  shop,
}) => {
  const ana = await addMember(shop, 'Ana Reyes', 'technician')
  await addMember(shop, 'Ben Novak', 'technician')
  await shop.database.query(
    `insert into tasks (title, assigned_to) values ('Pads', $1), ('Rotors', $1)`,
    [ana],
  )
  await openTeam(page)
  const opener = page.getByRole('button', { name: 'More for Ana Reyes' })
  await opener.press('Enter')
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await more(page, 'Ana Reyes', 'Switch off…')
  const question = page.getByRole('dialog', { name: 'Switch off Ana Reyes?' })
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expect(question).toContainText('Signed out everywhere within 5 seconds.')
  await question.getByLabel('2 open tasks of Ana Reyes').selectOption('Give to Ben Novak')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Switch off' }).click()
  await expect(rowOf(page, 'Ana Reyes')).toContainText('off')
  const { rows } = await shop.database.query(
    `select distinct name from tasks join employees on employees.id = assigned_to`,
  )
  expect(rows).toEqual([{ name: 'Ben Novak' }])
  await expectAccessible(page)
  await more(page, 'Ana Reyes', 'Switch on')
  await expect(notification(page)).toContainText('Ana Reyes is active')
  await expect(page.getByRole('combobox', { name: 'Role of Ana Reyes' })).toBeVisible()
})

test('an owner can rename a team member, but not remove the last owner', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of (400|403)/)
  await addMember(shop, 'Ana Reyes', 'technician')
  await openTeam(page)
  await more(page, 'Ana Reyes', 'Rename…')
  const dialog = page.getByRole('dialog', { name: 'Rename Ana Reyes' })
  await dialog.getByLabel('Name').fill('Ana Ruiz')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Ana Ruiz')).toContainText('active')
  await more(page, 'admin', 'Switch off…')
  await page.getByRole('button', { name: 'Switch off', exact: true }).click()
  const refusal = page.getByRole('dialog', { name: 'You are the only owner' })
  await expect(refusal).toContainText('Make another team member an owner first.')
  await expectAccessible(page)
  await refusal.getByText('Close', { exact: true }).click()
  await expect(rowOf(page, 'admin')).toContainText('active')
})

test('an invitation to the email address of a switched-off team member offers to switch that account on', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 400/)
  await addMember(shop, 'Tom Reilly', 'technician')
  await shop.database.query(`update staff_accounts set is_active = false where username = 'tom'`)
  await openTeam(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Invite a person' })
  await panel.getByLabel('Name').fill('Tom')
  await panel.getByRole('textbox', { name: 'Email' }).fill('Tom@team.example')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await expect(panel).toContainText('Tom Reilly has this address and is off.')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Switch Tom Reilly on' }).click()
  await expect(notification(page)).toContainText('Tom Reilly is active')
})

test('a badge shows how each team member signs in, and warns if a password alone is enough @phone', async ({
  page,
  shop,
}) => {
  await addMember(shop, 'Ana Reyes', 'technician')
  await addMember(shop, 'Ben Novak', 'technician')
  await addMember(shop, 'Tom Reilly', 'technician')
  await shop.database.query(
    `insert into internal.passkeys (user_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up,
       transports, name, rp_id)
     select user_id, uuid_send(gen_random_uuid()), 'key', 0, true, true, '{}', 'Phone', $1
     from staff_accounts, generate_series(1, 2) where username = 'ana'`,
    [new URL(shop.url).hostname],
  )
  await shop.database.query(
    `insert into internal.tablet_pins (user_id, pin_hash)
     select user_id, 'hash' from staff_accounts where username = 'ana';
     insert into auth.users (id, email, encrypted_password)
     select user_id, email, 'hash' from staff_accounts where username = 'ben';
     insert into internal.code_apps (user_id, sealed_secret, confirmed_at)
     select user_id, 'secret', now() from staff_accounts where username = 'ben';
     update staff_accounts set is_active = false where username = 'tom'`,
  )
  await openTeam(page)
  await expect(rowOf(page, 'Ana Reyes')).toContainText('2 passkeys, PIN')
  await expect(rowOf(page, 'Ben Novak')).toContainText('Password, code')
  await expect(rowOf(page, 'admin')).toContainText('Password only')
  await expect(rowOf(page, 'Tom Reilly')).toContainText('No sign-in')
  await expectAccessible(page)
})
