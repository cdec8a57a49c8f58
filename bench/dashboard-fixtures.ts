import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { addDays, mondayOf } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'

export const admin = { username: 'admin', password: 'correct horse battery' }

/** The Monday of this week at the shop: yyyy-MM-dd. */
export const thisMonday = mondayOf(shopToday(new Date()))

/**
 * The numbers of records that the pages show: appointments of this week and the next, and results for the search term.
 * The numbers are the same in shops of every size.
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
    customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, completed_at, completed_by, customer_id)
  select (select id from services order by name limit 1), day, time '08:00' + place * interval '30 minutes', 30,
    person.name, person.email, person.phone, '2019', 'Subaru', 'Outback',
    case when completed then now() end, case when completed then 'admin' end, person.id`

async function fill(url: string, size: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into customers (id, name, email, phone)
     select md5(n::text)::uuid, case when n between ${100 - shown.searched} and 99 then 'Quimby' else 'Dana Whitfield' end || '-' || n,
       'dana' || n || '@example.com', '(' || 200 + n / 100 % 800 || ') 555-01' || lpad((n % 100)::text, 2, '0')
     from generate_series(0, $1 - 1) n`,
    [size],
  )
  await client.query(
    `insert into customer_contact_methods (customer_id, kind, match_key, value)
     select id, 'email', lower(email), email from customers`,
  )
  // No bench reads the history of the inserted bookings, so the fixtures disable the trigger that writes this history.
  await client.query('alter table bookings disable trigger t10_record_new_booking')
  await client.query(
    `${insertBookings}
     from generate_series(0, $1 - 1) n join customers person on person.id = md5(n::text)::uuid,
       lateral (select case when n < 100 then date '${thisMonday}' + n / 10 else date '${addDays(thisMonday, -1)}' - n / 20 end as day,
                  case when n < 100 then n % 10 else n % 20 end as place, n < 60 or n >= 100 as completed) as one`,
    [size],
  )
  await client.query('alter table bookings enable trigger t10_record_new_booking')
  await client.query(
    `insert into tasks (title, created_at) select 'Task ' || n, now() - n * interval '1 minute'
     from generate_series(1, $1) n`,
    [Math.max(20, size / 50)],
  )
  await client.query('vacuum analyze')
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
