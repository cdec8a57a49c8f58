import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { issueSignInCode, redeemSignInCode, revokeSignInCodesOf } from './sign-in-codes.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

const admin = { userId: randomUUID(), username: 'Ana' }
const nowMs = Date.now()
const issue = () => issueSignInCode(test.database, admin, nowMs)
const redeem = (username: string, code: string, atMs = nowMs) =>
  redeemSignInCode(test.database, username, code, atMs)

it('a one-time code signs in the account for which it was created, and only once', async () => {
  const code = await issue()
  expect(await redeem('bea', code)).toBeUndefined()
  const letIn = await Promise.all([redeem('ana', code), redeem('ANA', code)])
  expect(letIn.filter((session) => session !== undefined)).toEqual([admin])
})

it('a one-time code expires after fifteen minutes', async () => {
  expect(await redeem('ana', await issue(), nowMs + 15 * 60_000)).toBeUndefined()
})

it('a revoked one-time code does not sign anyone in', async () => {
  const code = await issue()
  await revokeSignInCodesOf(test.database, admin.userId)
  expect(await redeem('ana', code)).toBeUndefined()
})

it('the database stores no one-time code in plain text', async () => {
  const code = await issue()
  const { rows } = await test.owner.query<{ kept: string }>(
    'select json_agg(c)::text as kept from internal.sign_in_codes c',
  )
  expect(rows[0]?.kept).not.toContain(code)
})
