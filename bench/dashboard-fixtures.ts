import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { addDays, mondayOf } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { linkAllRecords } from './customer-fixtures.ts'

export const admin = { username: 'admin', password: 'correct horse battery' }

/** The Monday of this week at the shop: yyyy-MM-dd. */
export const thisMonday = mondayOf(shopToday(new Date()))

/**
 * Counts and a search term that are the same in both shops, so that the pages of both shops show the same number of
 * records.
 */
export const shown = { thisWeek: 70, nextWeek: 30, searched: 5, search: 'quimby' } as const

export type BenchSite = {
  readonly bookings: number
  readonly url: string
  readonly databaseUrl: string
}

/**
 * Creates a shop for each number of appointments (100 or more) on one PostgreSQL server, passes the shops to `work` and
 * removes them afterwards. A shop has one task for every 50 appointments. The last 100 appointments are the same in
 * each shop: those of this week and the next, 60 of them completed. All others are completed and precede this week,
 * twenty a day.
 */
export async function withSites(
  sizes: readonly number[],
  work: (shops: readonly BenchSite[]) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'torque-bench-dashboard-'))
  const server = await startEmbeddedPostgres({ dataDirectory: join(directory, 'data') })
  const running: ServerProcess[] = []
  try {
    const shops: BenchSite[] = []
    for (const bookings of sizes) {
      const databaseUrl = await createDatabase(server.ownerUrl, `shop_${bookings}`)
      const shop = await startServer({
        DATABASE_URL: databaseUrl,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'silent',
        ADMIN_USERNAME: admin.username,
        ADMIN_PASSWORD: admin.password,
      })
      running.push(shop)
      await fill(databaseUrl, bookings)
      shops.push({ bookings, url: shop.url, databaseUrl })
    }
    await work(shops)
  } finally {
    for (const shop of running) await shop.end()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

const insertBookings = `
  insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
    customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, completed_at, completed_by)
  select (select id from services order by name limit 1), day, time '08:00' + place * interval '30 minutes', 30,
    name || '-' || n, 'dana' || n || '@example.com', '(' || 200 + n / 100 % 800 || ') 555-01' || lpad((n % 100)::text, 2, '0'),
    '2019', 'Subaru', 'Outback',
    case when completed then now() end, case when completed then 'admin' end`

async function fill(url: string, size: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // The fixtures link all rows to customers after the inserts, because linking each row on insert takes minutes.
  await client.query('alter table bookings disable trigger t50_link_to_customer')
  await client.query(
    `${insertBookings}
     from generate_series(0, ${shown.thisWeek + shown.nextWeek - 1}) n,
       lateral (select date '${thisMonday}' + n / 10 as day, n % 10 as place, n < 60 as completed,
                  case when n >= ${100 - shown.searched} then 'Quimby' else 'Dana Whitfield' end as name) as one`,
  )
  await client.query(
    `${insertBookings}
     from generate_series(100, $1 - 1) n,
       lateral (select date '${addDays(thisMonday, -1)}' - n / 20 as day, n % 20 as place, true as completed,
                  'Dana Whitfield' as name) as one`,
    [size],
  )
  await client.query(
    `insert into tasks (title, created_at) select 'Task ' || n, now() - n * interval '1 minute'
     from generate_series(1, $1) n`,
    [Math.max(20, size / 50)],
  )
  await client.query('alter table bookings enable trigger t50_link_to_customer')
  await linkAllRecords(client)
  await client.end()
}

/** Signs in as staff and returns the headers for requests to the data service. */
export async function adminHeaders(url: string): Promise<Readonly<Record<string, string>>> {
  const headers = { 'content-type': 'application/json', apikey: publicAnonKey }
  const login = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      email: 'admin@staff.torqueandtiming.example',
      password: admin.password,
    }),
  })
  const session = (await login.json()) as { access_token?: string }
  if (!session.access_token) throw new Error(`The login was refused: ${login.status}`)
  return { ...headers, authorization: `Bearer ${session.access_token}` }
}

/** Returns the quantile of sorted values: 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
}
