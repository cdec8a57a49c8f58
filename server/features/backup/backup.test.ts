import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createSessionLocks } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { notifyAboutNights } from './bad-nights.ts'
import { removeInterruptedDrill } from './remove-interrupted-drill.ts'

let shop: TestApp
let cookie: string
beforeAll(async () => {
  shop = await createTestApp()
  cookie = await shop.logIn()
})
afterAll(() => shop.close())

const call = async (endpoint: { method: string; path: string }, payload?: object) =>
  shop.inject({
    method: endpoint.method as 'GET',
    url: endpoint.path,
    headers: { cookie },
    ...(payload && { payload }),
  })
const owner = (sql: string) => shop.database.owner.query(sql)

describe('a shop without BACKUP_URL', () => {
  it('reports that no backup is configured, and starts no restore drill', async () => {
    const off = { state: 'off', target: null, drills: [], runningDrill: null, pausedEmails: null }
    expect((await call(backupEndpoints.read)).json()).toMatchObject(off)
    for (const endpoint of ['drill', 'stopDrill', 'send'] as const) {
      expect((await call(backupEndpoints[endpoint])).json()).toMatchObject(off)
    }
    expect((await shop.inject('/healthz')).json()).toEqual({
      ok: true,
      backup: { state: 'off', newestAgeSeconds: null, lastDrill: null },
    })
  })

  it('refuses the confirmation that the owner copied the backup key, because there is no key', async () => {
    const response = await call(backupEndpoints.confirmKey, { fingerprint: '7F3A 91C4 22D8' })
    expect(response.statusCode).toBe(400)
  })
})

describe('the database copy of a restore drill whose process was killed', () => {
  let folder: string
  const copy = () => join(folder, 'backups', 'drill', 'postgresql')
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'torque-killed-drill-'))
    mkdirSync(copy(), { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is deleted at the next start of the site, even without BACKUP_URL', async () => {
    const started = await createTestApp({ config: { dataDirectory: folder } })
    expect(readdirSync(join(folder, 'backups'))).toEqual([])
    await started.close()
  })

  it('is kept while another process runs a restore drill', async () => {
    const { database } = shop.database
    const locks = createSessionLocks(database.pool, () => new Error('locked'))
    await locks('drill', 0, () => removeInterruptedDrill(database, folder))
    expect(existsSync(copy())).toBe(true)
    await removeInterruptedDrill(database, folder)
    expect(existsSync(copy())).toBe(false)
  })
})

describe('a restored shop', () => {
  beforeAll(async () => {
    await owner(`insert into internal.restored_shop (recovered_until) values ('2026-11-20T20:00:00Z');
      insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body)
      values ('owner_notice', 'a', 'a@example.com', 'A', 'a', 'a')`)
  })

  const statusOfEmail = async () => {
    const { rows } = await shop.database.owner.query<{ status: string }>(
      `select status from public.emails where dedupe_key = 'a'`,
    )
    return rows[0]?.status
  }
  const claim = () =>
    shop.database.database.transaction(asServer, (query) =>
      query.unchecked(
        `select id from public.claim_email((select id from public.emails where dedupe_key = 'a'))`,
      ),
    )

  it('sends no email until an admin ends the email pause, and then sends the queued emails', async () => {
    expect(await claim()).toEqual([])
    expect((await call(backupEndpoints.read)).json<Backup>().pausedEmails).toEqual({
      waiting: 1,
      recoveredUntil: '2026-11-20T20:00:00Z',
      emails: [
        {
          id: expect.any(String),
          subject: 'A',
          recipient: 'a@example.com',
          queuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      ],
    })
    const resumed = await call(backupEndpoints.resumeEmails)
    expect(resumed.json<Backup>().pausedEmails).toBeNull()
    await expect.poll(statusOfEmail).toBe('in_outbox')
    const { rows } = await owner('select resumed_by_name from internal.restored_shop')
    expect(rows).toEqual([{ resumed_by_name: testAdmin.username }])
  })
})

describe('nights without a backup that a restore drill has proven', () => {
  beforeEach(async () => {
    await owner(`set session_replication_role = replica; ${truncateTables('internal.backup_drills')};
      set session_replication_role = origin; ${truncateTables('public.emails', 'internal.owner_notices')}`)
  })

  const addNight = (nightsAgo: number, outcome: string) =>
    owner(`insert into internal.backup_drills (started_at, ended_at, outcome, reason, row_count)
      select at, at, '${outcome}', case '${outcome}' when 'proven' then null else 'full' end, 1
      from (select now() - interval '${nightsAgo} days' as at) night`)
  const notify = () =>
    shop.database.database.transaction(asServer, (query) =>
      notifyAboutNights(query, { currentShop: () => defaultShop, ownerEmail: undefined }),
    )
  /**
   * Lists the notices to the owner: those that were sent in a separate email, and those that wait for the next email
   * with several notices.
   */
  const notices = async () => {
    const { rows } = await owner('select line from internal.owner_notices order by noted_at')
    return (rows as { line: string }[]).map(({ line }) => line)
  }

  it('cause one notice to the owner for all such nights in a row, and one notice after the next proven backup', async () => {
    await addNight(5, 'proven')
    await addNight(4, 'not_drilled')
    await notify()
    expect(await notices()).toEqual([])
    await addNight(3, 'not_drilled')
    await notify()
    await addNight(2, 'not_drilled')
    await notify()
    const bad = 'The nightly backup drill failed for two nights'
    expect(await notices()).toEqual([bad])
    await addNight(1, 'proven')
    await notify()
    await addNight(0.5, 'proven')
    await notify()
    expect(await notices()).toEqual([bad, 'The nightly backup drill succeeded again'])
  })

  it('are counted from the last proven backup, and a single such night causes no notice', async () => {
    await addNight(4, 'proven')
    await addNight(3, 'not_drilled')
    await addNight(2, 'proven')
    await addNight(1, 'not_drilled')
    await notify()
    expect(await notices()).toEqual([])
    expect((await call(backupEndpoints.read)).json<Backup>().badNights).toBe(1)
  })

  it('are listed in the history of restore drills with their reasons, the latest first', async () => {
    await addNight(2, 'proven')
    await addNight(1, 'not_drilled')
    const { drills } = (await call(backupEndpoints.read)).json<Backup>()
    expect(drills.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['not_drilled', 'full'],
      ['proven', null],
    ])
  })
})
