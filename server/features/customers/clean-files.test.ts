import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin } from '#tests/support/database/database-fixtures.ts'
import { createFileCleaner } from './clean-files.ts'

/** This name and this email address appear in no other row of the database. */
const name = 'Zebedee Quillfeather'
const email = 'quillfeather@example.com'

let shop: TestDatabase
let clean: () => Promise<number>
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.owner.query<Row>(sql, values)).rows

const evening = '2026-11-21T02:00:00Z'
const night = '2026-11-21T11:00:00Z'

beforeAll(async () => {
  shop = await createTestDatabase()
  clean = createFileCleaner(shop.database, shop.ownerUrl)
  await setShopClock(shop.owner, evening)
  const serviceId = await addService(shop, 'Story, 30 minutes', 30)
  await runQuery(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, notes, created_at)
     values ($1, '2026-10-01', '12:00', 30, $2, $3, '(650) 555-0143', $2, $4)`,
    [serviceId, name, email, evening],
  )
  const [customer] = await runQuery<{ id: string }>('select id from public.customers')
  await runQuery(
    `insert into public.customer_notes (customer_id, note, written_by_name) values ($1, $2, 'ana')`,
    [customer?.id, name],
  )
  await runQuery('insert into public.tasks (title, description) values ($1, $1)', [
    `Write to ${email}`,
  ])
  await runQuery(
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, booking_id)
     select 'booking_confirmation', 'story', $1, $2, 'Your visit', $2, $2, id from public.bookings`,
    [email, name],
  )
  // After `analyze`, PostgreSQL's statistics also contain common values of the columns.
  await runQuery('analyze')
  await runQuery('checkpoint')
})
afterAll(() => shop.drop())

/**
 * Repeats the job that removes erased data until the job has rewritten the tables, because a run ends without effect
 * while other transactions are open.
 */
async function cleanSoon(): Promise<void> {
  await expect.poll(clean, { timeout: 30_000 }).toBeGreaterThan(10)
}

/** Finds the data files of this database that contain the erased name or email address. */
async function filesWithTraces(): Promise<string[]> {
  await runQuery('checkpoint')
  const [place] = await runQuery<{ folder: string; oid: string }>(
    `select current_setting('data_directory') as folder, oid::text as oid from pg_database where datname = current_database()`,
  )
  const folder = join(place?.folder ?? '', 'base', place?.oid ?? '')
  const found: string[] = []
  for (const file of await readdir(folder)) {
    const content = await readFile(join(folder, file)).catch(() => Buffer.alloc(0))
    const text = content.toString('latin1').toLowerCase()
    if (text.includes('quillfeather')) found.push(file)
  }
  return found
}
const areFilesCleaned = async () => {
  const [row] = await shop.database.transaction(admin, (query) =>
    query.unchecked<{ cleaned: boolean }>(
      `select (public.preview_erasure(id) ->> 'areFilesCleaned')::boolean as cleaned from public.customers where erased_at is null`,
    ),
  )
  return row?.cleaned
}

// The timeout is long, because the job waits for the transactions that other tests open on the same database server.
const patience = { timeout: 60_000 }

describe('the data files of the database', patience, () => {
  it('contain erased data until the nightly job rewrites the files, and not afterwards', async () => {
    expect(await clean()).toBe(0)
    expect((await filesWithTraces()).length).toBeGreaterThan(5)
    await runQuery(`select internal.erase_customer(id, version, 'ana') from public.customers`)
    expect(await clean()).toBe(0)
    expect((await filesWithTraces()).length).toBeGreaterThan(5)
    await setShopClock(shop.owner, night)
    await cleanSoon()
    expect(await filesWithTraces()).toEqual([])
    expect(await clean()).toBe(0)
  })

  it('are not rewritten in the ten minutes after a new booking', async () => {
    await runQuery('select internal.request_file_cleanup()')
    await runQuery('update public.bookings set created_at = internal.current_instant()')
    expect(await clean()).toBe(0)
    await runQuery(`update public.bookings set created_at = created_at - interval '11 minutes'`)
    await cleanSoon()
  })

  it('are not rewritten while an older transaction can still read the erased data', async () => {
    await runQuery('select internal.request_file_cleanup()')
    const session = await shop.owner.connect()
    try {
      await session.query('begin isolation level repeatable read')
      await session.query('select from public.shop')
      expect(await clean()).toBe(0)
      await session.query('commit')
    } finally {
      session.release()
    }
    await cleanSoon()
  })

  it('are rewritten by the next run of the nightly job if another transaction used a table during the first run', async () => {
    await runQuery('select internal.request_file_cleanup()')
    const session = await shop.owner.connect()
    try {
      await session.query('begin')
      await session.query('lock table public.bookings in access share mode')
      await cleanSoon()
      expect(
        await runQuery('select table_name from internal.file_cleanups where cleaned < requests'),
      ).toEqual([{ table_name: 'public.bookings' }])
      await session.query('commit')
    } finally {
      session.release()
    }
    await expect.poll(clean, { timeout: 30_000 }).toBe(1)
  })
})

it(
  'The nightly job does not rewrite tables that another database role owns, and the erasure preview reports this',
  patience,
  async () => {
    await runQuery(
      `insert into public.customers (name, email) values ('Sam Okafor', 'sam@example.com')`,
    )
    expect(await areFilesCleaned()).toBe(true)
    await runQuery('select internal.request_file_cleanup()')
    await runQuery('select internal.record_file_owner($1)', ['authenticator'])
    expect(await areFilesCleaned()).toBe(false)
    expect(await clean()).toBe(0)
    // Simulates a restart: a new file cleaner checks again whether its database role owns the tables.
    clean = createFileCleaner(shop.database, shop.ownerUrl)
    await cleanSoon()
    expect(await areFilesCleaned()).toBe(true)
  },
)
