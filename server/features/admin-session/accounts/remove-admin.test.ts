import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AuthContext, openAuth } from '@local/data-service'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { findAdminSession, openAdminSession } from '../admin-sessions.ts'
import type { AuthGateway } from '../gateway/auth-gateway.ts'
import { embeddedAuthGateway } from '../gateway/embedded-auth-gateway.ts'
import { spendAttempt, trustBrowser } from '../sign-in/known-browsers.ts'
import { removeAdmin } from './remove-admin.ts'
import { issueSignInCode, redeemSignInCode } from '../sign-in/sign-in-codes.ts'

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
  await gateway.createAdmin('ana', 'a long password')
})
afterEach(() => test.drop())

const remove = (username: string, evenTheLast = false) =>
  removeAdmin({ database: test.database, gateway }, username, evenTheLast)

async function countUsers(): Promise<number> {
  return (await test.owner.query('select from auth.users')).rowCount ?? 0
}

it('ends the cookies, data sessions, codes and known browsers of a removed admin', async () => {
  await gateway.createAdmin('Bea', 'a long password')
  const signedIn = await gateway.signIn('bea', 'a long password', 'unknown')
  if (!signedIn.ok) throw new Error('not signed in')
  const { admin, opened } = signedIn.value
  const { database } = test
  const cookie = await openAdminSession(database, admin, opened.id, Date.now())
  const browser = await trustBrowser(database, 'Bea', undefined, Date.now())
  const code = await issueSignInCode(database, admin, Date.now())
  expect(await remove('bea')).toMatchObject({ ok: true, value: { userId: admin.userId } })
  expect(await findAdminSession(database, cookie ?? '', Date.now())).toBeUndefined()
  expect((await test.owner.query('select from auth.sessions')).rowCount).toBe(0)
  expect(await spendAttempt(database, browser, 'bea', Date.now())).toBe(false)
  expect(await redeemSignInCode(database, 'bea', code, Date.now())).toBeUndefined()
  expect((await gateway.signIn('bea', 'a long password', 'unknown')).ok).toBe(false)
})

it('keeps the last admin who can sign in unless the caller forces the removal', async () => {
  expect(await remove('ana')).toEqual({ ok: false, refusal: 'LAST_ADMIN' })
  await gateway.createAdmin('bea', 'a long password')
  await test.owner.query(
    `update auth.users set banned_until = now() + interval '1 day' where email like 'bea@%'`,
  )
  expect(await remove('ana')).toEqual({ ok: false, refusal: 'LAST_ADMIN' })
  expect((await remove('bea')).ok).toBe(true)
  expect((await remove('ana', true)).ok).toBe(true)
  expect(await countUsers()).toBe(0)
})

it('keeps one of two admins when both are removed at the same time', async () => {
  await gateway.createAdmin('bea', 'a long password')
  const outcomes = await Promise.all([remove('ana'), remove('bea')])
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await countUsers()).toBe(1)
})

it('removes nobody when no admin has the name', async () => {
  await test.owner.query(
    `insert into auth.users (email) values ('guest@staff.torqueandtiming.example')`,
  )
  for (const name of ['nobody', 'guest']) {
    expect(await remove(name, true)).toEqual({ ok: false, refusal: 'UNKNOWN_USERNAME' })
  }
  expect(await countUsers()).toBe(2)
})
