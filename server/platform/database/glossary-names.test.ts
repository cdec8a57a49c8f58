import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import { poolUrlOf } from './bootstrap-database.ts'
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../scripts/migration/scratch-databases.ts'
import { addUserOfEarlierAdmin, admin } from '#tests/support/database/database-fixtures.ts'
import { readMigrations } from './migration-files.ts'
import { migrate, migrateTo, sqlFolder } from './migrations.ts'

const { ownerUrl: serverUrl } = inject('testServer')

let shop: ScratchDatabase
let database: Database
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  database.transaction(admin, (query) => query.unchecked<Row>(sql, values))

/** The ids and values of the records that the test inserted under the table and column names of the first release. */
let stored: {
  bookingId: string
  token: string
  merge: string
  duplicate: string
  document: unknown
}

beforeAll(async () => {
  const migrations = await readMigrations(sqlFolder)
  const renaming = migrations.findIndex(({ name }) => name === 'use_the_words_of_the_glossary')
  shop = await createScratchDatabase(serverUrl, (url) =>
    migrateTo(url, migrations.slice(0, renaming)),
  )
  database = openDatabase(poolUrlOf(shop.ownerUrl))
  await addUserOfEarlierAdmin(shop.owner)
  await runQuery(`insert into internal.secrets (name, value) values ('visit_key', repeat('k', 43))`)
  await runQuery(`insert into public.services (name, duration_minutes) values ('Oil Change', 30)`)
  const [service] = await runQuery<{ id: string }>('select id from public.services')
  const book = async (name: string, phone: string, time: string) => {
    const [row] = await runQuery<{ id: string; person_id: string; version: number }>(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
       values ($1, current_date + 7, $2, 30, $3, $4, $5, '2019', 'Subaru', 'Outback')
       returning id, person_id`,
      [service?.id, time, name, `${name}@example.com`, phone],
    )
    const [customer] = await runQuery<{ version: number }>(
      'select version from public.people where id = $1',
      [row?.person_id],
    )
    return { id: row?.id ?? '', person: row?.person_id ?? '', version: customer?.version }
  }
  const survivor = await book('maria', '555-0101', '10:00')
  const duplicate = await book('mary', '555-0102', '12:00')
  await runQuery(`update public.cars set note = 'Rattles' where person_id = $1`, [survivor.person])
  const [token] = await runQuery<{ token: string }>('select public.visit_token($1) as token', [
    survivor.id,
  ])
  const [merge] = await asAdmin<{ id: string }>(
    'select public.merge_people($1, $2, $3, $4) as id',
    [survivor.person, duplicate.person, survivor.version, duplicate.version],
  )
  // Simulates a merge of two vehicles that was recorded before the migration. The merge changed the note of the
  // remaining vehicle.
  await runQuery(
    `update public.record_merges set before = '{"note": {"before": "Squeaks", "after": "Rattles"}}' where kind = 'car'`,
  )
  await runQuery(`update public.bookings set kept_at = now(), kept_by = 'ana' where id = $1`, [
    survivor.id,
  ])
  await runQuery(
    `insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body, status, sent_at)
     values ('owner_notice', 'visit-links:1', 'ana@example.com', 'Hello', 'Hello', 'Hello', 'sent', now())`,
  )
  await runQuery(`update public.emails set status = 'kept'`)
  await runQuery(
    `insert into public.settings_history (section, subject, action, before, after, changed_by_name)
     values ('closures', 'Holiday', 'added', null, '{"reason": "Holiday"}', 'ana'),
            ('rules', '', 'changed', '{"horizon_days": 30}', '{"horizon_days": 60}', 'ana')`,
  )
  const document = { jobs: [{ key: 'a', plainWords: 'Quiet brakes', measure: null }] }
  await runQuery('insert into public.kept_jobs (title, job) values ($1, $2)', ['Brakes', document])
  await runQuery(
    `insert into public.erasures (person_id, erased_by_name, counts, kept) values ($1, 'ana', '{"visits": 2, "cars": 1}', '[]')`,
    [duplicate.person],
  )
  await runQuery(`insert into internal.file_cleanups (table_name, requests) values ('public.people', 1)
             on conflict (table_name) do update set requests = 1`)
  stored = {
    bookingId: survivor.id,
    token: token?.token ?? '',
    merge: merge?.id ?? '',
    duplicate: duplicate.person,
    document,
  }
  await migrate(shop.ownerUrl)
})
afterAll(async () => {
  await database.close()
  await shop.drop()
})

describe('the migration that renames tables and columns by the glossary', () => {
  it('keeps every link in sent emails valid', async () => {
    const found = await runQuery('select public.visit_page_token($1) as token', [stored.bookingId])
    expect(found).toEqual([{ token: stored.token }])
    expect(await runQuery('select name from internal.secrets')).toEqual([{ name: 'visit_key' }])
  })

  it('lets staff undo a merge of customers that was made before the migration', async () => {
    const [merge] = await runQuery(
      'select kind, moved_rows, survivor_changes from public.merges where id = $1',
      [stored.merge],
    )
    expect(merge).toMatchObject({
      kind: 'customer',
      moved_rows: { 'public.bookings.customer_id': [expect.any(String)] },
    })
    expect(
      await runQuery(`select survivor_changes from public.merges where kind = 'vehicle'`),
    ).toEqual([{ survivor_changes: { internal_note: { before: 'Squeaks', after: 'Rattles' } } }])
    await asAdmin('select public.unmerge($1)', [stored.merge])
    const theirs = await runQuery(
      'select customer_name from public.bookings where customer_id = $1',
      [stored.duplicate],
    )
    expect(theirs).toEqual([{ customer_name: 'mary' }])
    expect(
      await runQuery('select internal_note from public.vehicles order by internal_note'),
    ).toEqual([{ internal_note: 'Squeaks' }, { internal_note: null }])
  })

  it('keeps the dedupe key of an email, and converts its status to in_outbox', async () => {
    expect(await runQuery('select dedupe_key, status from public.emails')).toEqual([
      { dedupe_key: 'visit-links:1', status: 'in_outbox' },
    ])
  })

  it('does not change the recorded settings history, booking events and erasure counts', async () => {
    const settings = await runQuery(
      'select section, after from public.settings_history order by id desc limit 2',
    )
    expect(settings).toEqual([
      { section: 'rules', after: { horizon_days: 60 } },
      { section: 'closures', after: { reason: 'Holiday' } },
    ])
    const events = await runQuery(
      `select kind from public.booking_events where booking_id = $1 and after ? 'kept_at' and kind = 'kept'`,
      [stored.bookingId],
    )
    expect(events).toHaveLength(1)
    expect(await runQuery('select counts from public.erasures')).toEqual([
      { counts: { visits: 2, cars: 1 } },
    ])
  })

  it('does not change the document of a canned job', async () => {
    expect(await runQuery('select job from public.canned_jobs')).toEqual([{ job: stored.document }])
  })

  it('continues a pending rewrite of a table under the new table name', async () => {
    expect(
      await runQuery(
        `select table_name from internal.file_cleanups where table_name in ('public.people', 'public.customers')`,
      ),
    ).toEqual([{ table_name: 'public.customers' }])
  })

  it('leaves no merge rule or erasure rule for a column that does not exist', async () => {
    const stale = await runQuery(
      `select table_name, column_name from (
         select table_name, column_name from internal.merge_rules
         union all select table_name, column_name from internal.erasure_rules) rule
       where not exists (select from pg_attribute
         where attrelid = to_regclass(table_name) and attname = column_name and not attisdropped)`,
    )
    expect(stale).toEqual([])
  })
})
