import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AuthContext, openAuth } from '@local/data-service'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import {
  createTestDatabase,
  type TestDatabase,
  testOwnerId,
} from '#tests/support/database/database.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { findAdminSession, openAdminSession } from '../admin-sessions.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import { embeddedAuthGateway } from '../gateway/embedded-auth-gateway.ts'
import { spendAttempt, trustBrowser } from '../sign-in/known-browsers.ts'
import { createStaffAccount } from './create-staff-account.ts'
import { removeStaffAccount } from './remove-staff-account.ts'
import { issueSignInCode, redeemSignInCode } from '../sign-in/sign-in-codes.ts'

const origin = { device: 'Chrome on Windows', networkAddress: '192.0.2.1' }

let test: TestDatabase
let auth: AuthContext
let gateway: AuthGateway
beforeEach(async () => {
  test = await createTestDatabase()
  auth = await openAuth({
    database: test.database,
    keys: testKeys,
    now: Date.now,
    publicUrl: 'http://test',
    passwords: fastPasswords,
  })
  gateway = embeddedAuthGateway(auth)
  await create('ana')
  await test.owner.query('delete from public.staff_accounts where user_id = $1', [testOwnerId])
})
afterEach(() => test.drop())

const create = (username: string) =>
  createStaffAccount(
    { database: test.database, gateway },
    { username, password: 'a long password', role: 'owner' },
  )
const remove = (username: string) =>
  removeStaffAccount({ database: test.database, gateway }, username)

async function countUsers(): Promise<number> {
  return (await test.owner.query('select from auth.users')).rowCount ?? 0
}

it('removing an admin deletes the session cookies, data sessions, sign-in codes and known browsers of that admin', async () => {
  await create('Bea')
  const signedIn = await gateway.signIn('bea', 'a long password', 'unknown')
  if (!signedIn.ok) throw new Error('not signed in')
  const { admin, opened } = signedIn.value
  const { database } = test
  const cookie = await openAdminSession(database, admin, opened.id, origin)
  const browser = await trustBrowser(database, 'Bea', undefined, Date.now())
  const code = await issueSignInCode(database, admin, Date.now())
  expect(await remove('bea')).toMatchObject({ ok: true, value: { userId: admin.userId } })
  expect(await findAdminSession(database, cookie ?? '')).toBeUndefined()
  expect((await test.owner.query('select from auth.sessions')).rowCount).toBe(0)
  expect(await spendAttempt(database, browser, 'bea', Date.now())).toBe(false)
  expect(await redeemSignInCode(database, 'bea', code, Date.now())).toBeUndefined()
  expect((await gateway.signIn('bea', 'a long password', 'unknown')).ok).toBe(false)
})

it('the last owner cannot be removed', async () => {
  expect(await remove('ana')).toEqual({ ok: false, refusal: 'LAST_OWNER' })
  await create('bea')
  expect((await remove('ana')).ok).toBe(true)
  expect(await remove('bea')).toEqual({ ok: false, refusal: 'LAST_OWNER' })
  expect(await countUsers()).toBe(1)
})

it('one of two admins remains when both are removed at the same time', async () => {
  await create('bea')
  const outcomes = await Promise.all([remove('ana'), remove('bea')])
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await countUsers()).toBe(1)
})

it('removing an admin fails when no admin has the given username', async () => {
  await test.owner.query(
    `insert into auth.users (email) values ('guest@staff.torqueandtiming.example')`,
  )
  for (const name of ['nobody', 'guest']) {
    expect(await remove(name)).toEqual({ ok: false, refusal: 'UNKNOWN_USERNAME' })
  }
  expect(await countUsers()).toBe(2)
})
