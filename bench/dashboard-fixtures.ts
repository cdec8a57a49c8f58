import { Client } from 'pg'
import { addDays, mondayOf } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { bringUpToDate } from '#server/platform/database/bootstrap-database.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import {
  admin,
  type BenchServer,
  createDatabase,
  hasDatabase,
  shopSettings,
  startSharedPostgres,
} from './prepared.ts'

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
 * Starts one site for each number of appointments (100 or more), all with databases on one PostgreSQL server. Passes
 * the sites to `work` and stops them afterwards. The benches of one run share the inserted appointments: each bench
 * gets copies of the databases that the first bench filled. A shop has one task for every 50 appointments. The last 100
 * appointments are the same in each shop: those of this week and the next, 60 of them completed. All others are
 * completed and precede this week, twenty a day.
 */
export async function withSites(
  sizes: readonly number[],
  work: (shops: readonly BenchSite[]) => Promise<void>,
): Promise<void> {
  const server = await startSharedPostgres('dashboard')
  const running: ServerProcess[] = []
  try {
    const shops: BenchSite[] = []
    for (const bookings of sizes) {
      const databaseUrl = await createFilledDatabase(server, bookings)
      const shop = await startServer({ ...shopSettings, DATABASE_URL: databaseUrl })
      running.push(shop)
      shops.push({ bookings, url: shop.url, databaseUrl })
    }
    await work(shops)
  } finally {
    for (const shop of running) await shop.end()
    await server.stop()
  }
}

/** Creates the database of a shop with the given number of appointments and returns the URL of the database. */
async function createFilledDatabase(server: BenchServer, bookings: number): Promise<string> {
  const [name, filled] = [`shop_${bookings}`, `filled_${bookings}`]
  if (await hasDatabase(server, filled)) return createDatabase(server, name, filled)
  const url = await createDatabase(server, name)
  await bringUpToDate(url)
  await fill(url, bookings)
  await createDatabase(server, filled, name)
  return url
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

/** Signs in as staff and returns the headers for requests to the REST API. */
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
