import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { createOwnPasskeyBrowser } from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

let shop: TestApp
let knownBrowser = ''
beforeAll(async () => {
  shop = await createTestApp()
  await (await createOwnPasskeyBrowser(shop)).register(createSoftwareAuthenticator())
})
afterAll(() => shop.close())
beforeEach(async () => {
  await sql(`update internal.passkeys set rp_id = 'former.example', is_active = true`)
  knownBrowser = await logIn()
})

const sql = (statement: string) => shop.database.owner.query(statement)

/** Signs the admin in, which makes the browser a known browser. Returns the cookie of the browser. */
async function logIn(): Promise<string> {
  const response = await shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: testAdmin,
  })
  const cookie = response.cookies.find(({ name }) => name === 'admin_browser')
  return `admin_browser=${cookie?.value}`
}
const logInBody = async () =>
  (await shop.inject({ method: 'POST', url: '/api/admin/login', payload: testAdmin })).json<
    Record<string, unknown>
  >()

async function askAs(cookie: string): Promise<unknown> {
  const response = await shop.inject({
    method: 'POST',
    url: '/api/admin/login/former-passkeys',
    headers: { cookie },
  })
  return response.json<{ hosts: string[] }>().hosts
}

it('a browser in which a team member signed in before receives the former host of the site at which the team member created passkeys', async () => {
  expect(await askAs(knownBrowser)).toEqual(['former.example'])
})

it('a browser in which nobody signed in before receives no former host of the site', async () => {
  expect(await askAs('')).toEqual([])
  expect(await askAs(`admin_browser=${'x'.repeat(43)}`)).toEqual([])
  await sql('update internal.known_browsers set trusted_until = now()')
  expect(await askAs(knownBrowser)).toEqual([])
})

it('no browser receives a former host of the site if the team member or the passkey is switched off', async () => {
  await sql('update internal.passkeys set is_active = false')
  expect(await askAs(knownBrowser)).toEqual([])
  await sql(
    `update internal.passkeys set is_active = true;
     alter table public.staff_accounts disable trigger user;
     update public.staff_accounts set is_active = false`,
  )
  expect(await askAs(knownBrowser)).toEqual([])
  await sql(
    `update public.staff_accounts set is_active = true;
     alter table public.staff_accounts enable trigger user`,
  )
})

it('the response to the correct password names the former host at which the passkeys were created, whereas the response to a wrong password does not', async () => {
  expect(await logInBody()).toMatchObject({ ok: true, formerPasskeyHosts: ['former.example'] })
  const wrong = await shop.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: { ...testAdmin, password: 'wrong' },
  })
  expect(wrong.body).not.toContain('former')
})

it('a browser receives no former host of the site if one of the team member’s passkeys works at the current host', async () => {
  await (await createOwnPasskeyBrowser(shop)).register(createSoftwareAuthenticator())
  expect(await askAs(knownBrowser)).toEqual([])
  expect(await logInBody()).not.toHaveProperty('formerPasskeyHosts')
})
