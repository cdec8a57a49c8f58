import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bootstrapDatabase, bringUpToDate } from '#server/platform/database/bootstrap-database.ts'
import { type Migration, readMigrations } from '#server/platform/database/migration-files.ts'
import { migrateTo, sqlFolder } from '#server/platform/database/migrations.ts'
import { columnToday, droppedColumns } from '#tests/support/database/former-names.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { testSize, reportFigure } from './test-size.ts'

const { ownerUrl: serverUrl } = inject('testServer')
const migrations = await readMigrations(sqlFolder)
const nameOf = ({ version, name }: Migration) => `${version}_${name}`

let server: pg.Pool
beforeAll(() => {
  server = openPool(serverUrl, 1)
})
afterAll(() => server.end())

/**
 * SQL that inserts a row into each tested table. The test skips tables that the earlier schema lacks; the migration
 * gives columns that were added later their defaults.
 */
const rows: Record<string, string> = {
  'public.bookings': `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
      customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
    select id, '2026-11-28', '13:30', duration_minutes, 'Dana Whitfield', 'dana@example.com', '555-0167',
      '2019', 'Subaru', 'Outback' from public.services order by name limit 1`,
  'public.quote_requests': `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
    values ('Dana Whitfield', 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`,
  'public.emails': `insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body)
    values ('owner_notice', 'upgrade', 'dana@example.com', 'Hello', '<p>Hello</p>', 'Hello')`,
  'public.payments': `insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at)
    values ('in_upgrade', 'pi_upgrade', 54950, 'usd', 'payment', 'card_online', now())`,
  'internal.secrets': `insert into internal.secrets (name, value) values ('upgrade_key', repeat('k', 40))`,
}

/**
 * Adapts the INSERT statement of a payment to the schema of the database: before the ledger existed, a payment had the
 * column `outcome` instead of `kind` and `method`.
 */
async function sqlFor(database: pg.Client, table: string, sql: string): Promise<string> {
  if (table !== 'public.payments') return sql
  const { rowCount } = await database.query(
    `select from pg_attribute where attrelid = 'public.payments'::regclass and attname = 'outcome'`,
  )
  return rowCount === 0
    ? sql
    : sql.replace('kind, method,', 'outcome,').replace(`'payment', 'card_online'`, `'applied'`)
}

/**
 * Reads the rows of all tables, by default with all columns. `columns` excludes the columns that later versions added.
 */
async function contents(database: pg.Client, columns?: Map<string, readonly string[]>) {
  const found = new Map<string, { columns: readonly string[]; rows: unknown[] }>()
  for (const table of Object.keys(rows)) {
    const { rows: before } = await database.query<{ columns: string[] | null }>(
      `select array_agg(attname::text order by attnum) as columns
       from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const existing = columns?.get(table) ?? (columns ? undefined : before[0]?.columns)
    const names = existing?.filter((name) => !droppedColumns[table]?.includes(name))
    if (!names) continue
    const read = await database.query(
      `select ${names.map((name) => `"${columns ? columnToday(table, name) : name}" as "${name}"`).join(', ')}
       from ${table} order by 1`,
    )
    found.set(table, { columns: names, rows: read.rows })
  }
  return found
}

describe('a shop that was started with an earlier schema', () => {
  const all = migrations.slice(0, -1)
  const steps = testSize('SCHEMAS', { short: 2, long: all.length })
  const earlier = all.filter((_, index) => index % Math.ceil(all.length / steps) === 0)

  it.each(earlier)(
    'keeps all data when it is migrated from $name to the current schema',
    async (last) => {
      const name = `shop_upgrade_${randomBytes(6).toString('hex')}`
      const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
      await server.query(`create database ${name}`)
      const database = new pg.Client({ connectionString: url })
      database.on('error', () => undefined)
      await database.connect()
      try {
        await bootstrapDatabase(url)
        const done = migrations.slice(0, migrations.indexOf(last) + 1)
        await migrateTo(url, done)
        await database.query(
          `insert into public.services (name, duration_minutes) values ('Kept service', 60)`,
        )
        for (const [table, sql] of Object.entries(rows)) {
          const { rows: found } = await database.query('select to_regclass($1) as table', [table])
          if ((found[0] as { table: string | null }).table)
            await database.query(await sqlFor(database, table, sql))
        }
        const before = await contents(database)
        const { migrated } = await bringUpToDate(url)
        expect(migrated).toEqual(migrations.slice(done.length).map(nameOf))
        const columns = new Map([...before].map(([table, { columns }]) => [table, columns]))
        expect(await contents(database, columns)).toEqual(before)
        expect(before.get('public.bookings')?.rows).toHaveLength(1)
        // A booking that is older than the history gets a first history line with the creation time of the booking.
        const { rows: begun } = await database.query(
          `select event.kind from public.booking_events event join public.bookings booking
         on booking.id = booking_id and happened_at = booking.created_at`,
        )
        expect(begun).toEqual([{ kind: 'booked' }])
      } finally {
        await database.end()
        await server.query(`drop database ${name} with (force)`)
      }
      if (last === earlier.at(-1)) {
        reportFigure(
          `${earlier.length} earlier schemas migrated to the current schema without a loss of rows`,
        )
      }
    },
  )
})
