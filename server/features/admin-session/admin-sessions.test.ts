import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  closeAdminSession,
  openAdminSession,
  sweepAdminSessions,
  linkDataSession,
} from './admin-sessions.ts'

let test: TestDatabase
const admin = { userId: randomUUID(), username: 'ana' }
beforeAll(async () => {
  test = await createTestDatabase()
  await test.owner.query('insert into auth.users (id) values ($1)', [admin.userId])
})
afterAll(() => test.drop())
beforeEach(() => test.owner.query('delete from auth.sessions'))

async function startDataSession(): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>(
    'insert into auth.sessions (user_id) values ($1) returning id',
    [admin.userId],
  )
  return rows[0]?.id ?? ''
}

async function openCookie(nowMs = Date.now()): Promise<string> {
  const token = await openAdminSession(test.database, admin, await startDataSession(), nowMs)
  if (token === undefined) throw new Error('the session was not opened')
  return token
}

async function countDataSessions(): Promise<number> {
  return (await test.owner.query('select from auth.sessions')).rowCount ?? 0
}

describe('a data session', () => {
  it('ends when its linked cookie ends, and not when another cookie ends', async () => {
    const [here] = [await openCookie(), await openCookie()]
    await linkDataSession(test.database, here, await startDataSession())
    await closeAdminSession(test.database, here)
    expect(await countDataSessions()).toBe(1)
  })

  it('ends when the cleanup deletes its cookie', async () => {
    const longAgo = Date.now() - 15 * 24 * 60 * 60_000
    await openCookie(longAgo)
    await sweepAdminSessions(test.database, Date.now())
    expect(await countDataSessions()).toBe(0)
  })

  it('ends when the same cookie opens its twenty-first data session', async () => {
    const cookie = await openCookie()
    for (let count = 0; count < 24; count += 1) {
      await linkDataSession(test.database, cookie, await startDataSession())
    }
    expect(await countDataSessions()).toBe(20)
  })

  it('is not linked to a cookie that has ended', async () => {
    const cookie = await openCookie()
    await closeAdminSession(test.database, cookie)
    const late = await linkDataSession(test.database, cookie, await startDataSession())
    expect(late).toBeUndefined()
  })
})

describe('a cookie', () => {
  it('is not created for a data session that has ended', async () => {
    const ended = await startDataSession()
    await test.owner.query('delete from auth.sessions')
    expect(await openAdminSession(test.database, admin, ended, Date.now())).toBeUndefined()
  })
})
