import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { shopToday } from '#domain/shop-time.ts'
import { mondayOf, addDays } from '#domain/calendar-date.ts'
import { PUBLIC_ANON_KEY } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { type ShopProcess, startShop } from '#testing/shop-process.ts'

// What the dashboard asks for, as its admin, of a shop with 100 bookings and of one with 100,000: in
// turns, so that a busy machine slows both alike. The ratio of the medians is what counts.
//   npm run bench -- dashboard      (BENCH_RUNS: runs of each question, 60 by default)

const runs = Number(process.env['BENCH_RUNS'] ?? 60)
const sizes = [100, 100_000] as const

/** The same columns as web/features/admin-appointments/bookings-api.ts. */
const columns = `id,service_id,appointment_date,appointment_time,duration_minutes,customer_name,
  customer_email,customer_phone,notes,vehicle_year,vehicle_make,vehicle_model,vehicle_color,status,
  completed_at,completed_by,flagged_reasons,service:services(name,duration_minutes),tasks(id)`.replaceAll(
  /\s/g,
  '',
)
const monday = mondayOf(shopToday(new Date()))
const questions: readonly [name: string, query: string][] = [
  [
    'the week',
    `select=${columns}&appointment_date=gte.${monday}&appointment_date=lte.${addDays(monday, 6)}&order=appointment_date,appointment_time`,
  ],
  [
    '25 open ones, and how many',
    `select=${columns}&completed_at=is.null&order=appointment_date,appointment_time&limit=25`,
  ],
  [
    '25 completed ones, and how many',
    `select=${columns}&completed_at=not.is.null&order=appointment_date.desc,appointment_time.desc&limit=25`,
  ],
  [
    'search for a name, and how many',
    `select=${columns}&completed_at=is.null&search_text=ilike.*whitfield-7*&order=appointment_date,appointment_time&limit=25`,
  ],
  ['how many in all', 'select=id&limit=0'],
]

const directory = mkdtempSync(join(tmpdir(), 'torque-bench-dashboard-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(directory, 'data') })
const shops: ShopProcess[] = []
try {
  const asked = await Promise.all(sizes.map(openShop))
  console.log(
    `${'median ms, p95 ms'.padEnd(36)}${sizes.map((size) => `${size} bookings`.padEnd(20)).join('')}ratio`,
  )
  for (const [name, query] of questions) await compare(asked, name, query)
} finally {
  for (const shop of shops) await shop.end()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}

type Ask = (query: string) => Promise<number>

async function openShop(size: number): Promise<Ask> {
  const name = `shop_${size}`
  const client = new Client({ connectionString: server.ownerUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = Object.assign(new URL(server.ownerUrl), { pathname: `/${name}` }).href
  const password = 'correct horse battery'
  const shop = await startShop({
    DATABASE_URL: url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: password,
  })
  shops.push(shop)
  await fill(url, size)
  const headers = { 'content-type': 'application/json', apikey: PUBLIC_ANON_KEY }
  const login = await fetch(`${shop.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: 'admin@staff.torqueandtiming.example', password }),
  })
  const session = (await login.json()) as { access_token?: string }
  if (!session.access_token) throw new Error(`The admin was not let in: ${login.status}`)
  const authorization = `Bearer ${session.access_token}`
  return async (query) => {
    const start = performance.now()
    const response = await fetch(`${shop.url}/rest/v1/bookings?${query}`, {
      headers: { ...headers, authorization, prefer: 'count=exact' },
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${query}: ${response.status}`)
    return performance.now() - start
  }
}

/** Twenty appointments a day, back to back, up to the end of this week; all but the last 90 are completed. */
async function fill(url: string, size: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, completed_at, completed_by)
     select (select id from services order by name limit 1), date '${addDays(monday, 6)}' - (n / 20),
       time '08:00' + (n % 20) * interval '30 minutes', 30, 'Dana Whitfield-' || n, 'dana' || n || '@example.com',
       '555-0100', '2019', 'Subaru', 'Outback', case when n >= 90 then now() end, case when n >= 90 then 'admin' end
     from generate_series(0, $1 - 1) n`,
    [size],
  )
  await client.query('vacuum analyze')
  await client.end()
}

async function compare(asked: readonly Ask[], name: string, query: string): Promise<void> {
  const times = asked.map((): number[] => [])
  for (let run = -5; run < runs; run += 1) {
    for (const [index, ask] of asked.entries()) {
      const ms = await ask(query)
      // The first ones fill caches on both sides.
      if (run >= 0) times[index]?.push(ms)
    }
  }
  const [few = [0, 0], many = [0, 0]] = times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b)
    return [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)] ?? 0)
  })
  const cells = [few, many].map((one) =>
    one
      .map((ms) => ms.toFixed(1))
      .join(', ')
      .padEnd(20),
  )
  console.log(`${name.padEnd(36)}${cells.join('')}${((many[0] ?? 0) / (few[0] ?? 1)).toFixed(2)}`)
}
