import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  closeAdminSession,
  confirmAdminSession,
  findAdminSession,
  openAdminSession,
  recordUse,
  sweepAdminSessions,
  linkDataSession,
} from './admin-sessions.ts'

let test: TestDatabase
const admin = { userId: randomUUID(), username: 'lena' }
beforeAll(async () => {
  test = await createTestDatabase()
  await test.owner.query('insert into auth.users (id) values ($1)', [admin.userId])
  await test.owner.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'lena', 'advisor')`,
    [admin.userId],
  )
})
afterAll(() => test.drop())
beforeEach(() => test.owner.query('delete from auth.sessions; delete from internal.admin_sessions'))

async function startDataSession(): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>(
    'insert into auth.sessions (user_id) values ($1) returning id',
    [admin.userId],
  )
  return rows[0]?.id ?? ''
}

const origin = { device: 'Chrome on Windows', networkAddress: '192.0.2.1' }

async function openCookie(): Promise<string> {
  const token = await openAdminSession(test.database, admin, await startDataSession(), origin)
  if (token === undefined) throw new Error('the session was not opened')
  return token
}

/** Moves the times of every session into the past, as if time had passed. */
const change = (columns: string) =>
  test.owner.query(`update internal.admin_sessions set ${columns}`)

async function countDataSessions(): Promise<number> {
  return (await test.owner.query('select from auth.sessions')).rowCount ?? 0
}

describe('a data session (session of the REST API)', () => {
  it('expires at the same time as the session cookie to which it is linked, even if a further use extends the cookie', async () => {
    const cookie = await openCookie()
    await linkDataSession(test.database, cookie, await startDataSession())
    const hours = async () => {
      const { rows } = await test.owner.query<{ hours: number }>(
        `select round(extract(epoch from not_after - now()) / 3600)::int as hours from auth.sessions`,
      )
      return rows.map((row) => row.hours)
    }
    expect(await hours()).toEqual([12, 12])
    await change(`last_used_at = now() - interval '9 hours'`)
    expect(await hours()).toEqual([3, 3])
    await recordUse(test.database, cookie)
    expect(await hours()).toEqual([12, 12])
  })

  it('ends when the session cookie to which it is linked is deleted, and not when another cookie is deleted', async () => {
    const [here] = [await openCookie(), await openCookie()]
    await linkDataSession(test.database, here, await startDataSession())
    await closeAdminSession(test.database, here)
    expect(await countDataSessions()).toBe(1)
  })

  it('ends when the cleanup job deletes its session cookie', async () => {
    await openCookie()
    await sweepAdminSessions(test.database)
    expect(await countDataSessions()).toBe(1)
    await change(`last_used_at = now() - interval '12 hours'`)
    await sweepAdminSessions(test.database)
    expect(await countDataSessions()).toBe(0)
  })

  it('ends when the same session cookie opens its twenty-first data session', async () => {
    const cookie = await openCookie()
    for (let count = 0; count < 24; count += 1) {
      await linkDataSession(test.database, cookie, await startDataSession())
    }
    expect(await countDataSessions()).toBe(20)
  })

  it('is not linked to a session cookie that has ended', async () => {
    const cookie = await openCookie()
    await closeAdminSession(test.database, cookie)
    const late = await linkDataSession(test.database, cookie, await startDataSession())
    expect(late).toBeUndefined()
  })
})

describe('a session cookie', () => {
  it.each([
    [`last_used_at = now() - interval '12 hours'`, false],
    [`last_used_at = now() - interval '11 hours 59 minutes'`, true],
    [
      `created_at = now() - interval '30 days', expires_at = now(), last_used_at = now() - interval '1 minute'`,
      false,
    ],
    [
      `created_at = now() - interval '29 days', expires_at = now() + interval '1 day', last_used_at = now()`,
      true,
    ],
  ])('with %s opens the dashboard: %s', async (columns, opens) => {
    const cookie = await openCookie()
    await change(columns)
    expect((await findAdminSession(test.database, cookie)) !== undefined).toBe(opens)
    expect((await confirmAdminSession(test.database, cookie, 'password')) !== undefined).toBe(opens)
  })

  it('is extended by each use before its end, and never after its end', async () => {
    const cookie = await openCookie()
    await change(`last_used_at = now() - interval '11 hours'`)
    await recordUse(test.database, cookie)
    const used = await findAdminSession(test.database, cookie)
    expect(used?.endsAtMs).toBeGreaterThan(Date.now() + 11 * 60 * 60_000)
    await change(`last_used_at = now() - interval '12 hours'`)
    await recordUse(test.database, cookie)
    expect(await findAdminSession(test.database, cookie)).toBeUndefined()
  })

  it.each([
    [`expires_at = created_at + interval '30 days 1 second'`],
    [`confirmed_until = last_used_at + interval '5 minutes 1 second'`],
  ])('is refused by the database with a duration above the maximum: %s', async (columns) => {
    await openCookie()
    await expect(change(columns)).rejects.toMatchObject({ code: '23514' })
  })

  it('is not created when its data session (session of the REST API) has ended', async () => {
    const ended = await startDataSession()
    await test.owner.query('delete from auth.sessions')
    expect(await openAdminSession(test.database, admin, ended, origin)).toBeUndefined()
  })
})
