import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SignInWays } from '#contracts/team.ts'
import { addTestAccount, createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
let benId = ''
beforeAll(async () => {
  shop = await createTestApp()
  await addTestAccount(shop.database, {
    username: 'ben',
    password: 'the password of ben',
    role: 'technician',
  })
  benId =
    (
      await sql<{ id: string }>(
        `select user_id as id from public.staff_accounts where username = 'ben'`,
      )
    )[0]?.id ?? ''
})
afterAll(() => shop.close())
beforeEach(() =>
  sql(
    'delete from internal.passkeys; delete from internal.code_apps; delete from internal.tablet_pins',
  ),
)

const sql = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.database.owner.query<Row>(statement, values)).rows

const ask = (cookie: string) =>
  shop.inject({ url: '/api/admin/accounts/sign-in-ways', headers: { cookie } })

async function waysOfBen(): Promise<SignInWays | undefined> {
  const { accounts } = (await ask(await shop.logIn())).json<{ accounts: SignInWays[] }>()
  return accounts.find(({ id }) => id === benId)
}

const addPasskey = (host: string, isActive = true) =>
  sql(
    `insert into internal.passkeys (user_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up,
       transports, name, rp_id, is_active)
     values ($1, uuid_send(gen_random_uuid()), 'key', 0, true, true, '{}', 'Phone', $2, $3)`,
    [benId, host, isActive],
  )

it('the report of sign-in methods tells an owner which team members sign in with a password alone', async () => {
  expect(await waysOfBen()).toEqual({
    id: benId,
    passkeys: 0,
    hasPassword: true,
    hasCodeApp: false,
    hasPin: false,
  })
})

it('the report of sign-in methods counts the enabled passkeys for the current host of the site', async () => {
  const { hostname } = new URL(shop.config.publicUrl)
  await addPasskey(hostname)
  await addPasskey(hostname)
  await addPasskey(hostname, false)
  await addPasskey('former.example')
  expect(await waysOfBen()).toMatchObject({ passkeys: 2 })
})

it('the report of sign-in methods counts an authenticator app only after its first code, and counts the PINs for tablets', async () => {
  await sql(`insert into internal.code_apps (user_id, sealed_secret) values ($1, 'x')`, [benId])
  await sql(`insert into internal.tablet_pins (user_id, pin_hash) values ($1, 'x')`, [benId])
  expect(await waysOfBen()).toMatchObject({ hasCodeApp: false, hasPin: true })
  await sql('update internal.code_apps set confirmed_at = now()')
  expect(await waysOfBen()).toMatchObject({ hasCodeApp: true, hasPin: true })
})

it('the report of sign-in methods is returned to owners only', async () => {
  const technician = await shop.logIn({ username: 'ben', password: 'the password of ben' })
  expect((await ask(technician)).statusCode).toBe(403)
  await sql(`update public.staff_accounts set role = 'advisor' where user_id = $1`, [benId])
  const advisor = await shop.logIn({ username: 'ben', password: 'the password of ben' })
  expect((await ask(advisor)).statusCode).toBe(403)
  expect((await ask('')).statusCode).toBe(401)
})
