import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { linkOldRecords } from '#server/features/people/link-old-records.ts'
import { type Database, type Identity, openDatabase } from '#server/platform/database/database.ts'
import { bringUpToDate, poolUrlOf } from '#server/platform/postgres/bootstrap-database.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { openPool } from '#testing/open-pool.ts'
import { quantile } from './dashboard-shops.ts'
import { fillWithPeople } from './people-shop.ts'

// People among 100 and among 100,000 appointments: how long it takes to link what is there, what a booking costs
// with and without its person, and the search.
//   npm run bench -- people

const sizes = [100, 100_000] as const
const rounds = 200
/** Each finds somebody in either shop. */
const terms = [
  'maria delgado',
  'delg',
  '5550017',
  '(201) 555-0017',
  'okafor civic',
  'maria',
  'ma',
  '555',
  'toyota',
  'INV-2026',
]
const admin: Identity = {
  role: 'authenticated',
  claims: { role: 'authenticated', app_metadata: { role: 'admin', username: 'ana' } },
}

const directory = mkdtempSync(join(tmpdir(), 'torque-bench-people-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(directory, 'data') })
try {
  for (const bookings of sizes) await measure(bookings)
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function measure(bookings: number): Promise<void> {
  const url = Object.assign(new URL(server.ownerUrl), { pathname: `/people_${bookings}` }).href
  const root = openPool(server.ownerUrl, 1)
  await root.query(`create database people_${bookings}`)
  await root.end()
  await bringUpToDate(url)
  const owner = openPool(url, 2)
  const database = openDatabase(poolUrlOf(url))
  try {
    await fillWithPeople(owner, bookings, false)
    const started = performance.now()
    const linked = await linkOldRecords(database, new AbortController().signal)
    const seconds = (performance.now() - started) / 1000
    console.log(`${bookings} appointments: ${linked} linked in ${seconds.toFixed(1)} s`)
    await owner.query('vacuum analyze')
    for (const isLinked of [false, true]) await timeBookings(owner, isLinked)
    for (const term of terms) await timeSearch(database, term)
  } finally {
    await Promise.all([owner.end(), database.close()])
  }
}

/** Bookings by one who is new each time: what costs most. */
async function timeBookings(owner: pg.Pool, isLinked: boolean): Promise<void> {
  await owner.query(
    `alter table public.bookings ${isLinked ? 'enable' : 'disable'} trigger link_to_person`,
  )
  const times = await repeat((n) =>
    owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
       select id, current_date + $1::int, '10:00', 30, 'New One', $1 || $2 || '@new.example',
         '(650) 777-' || lpad($1::text, 4, '0'), '2019', 'Subaru', 'Outback' from public.services order by name limit 1`,
      [n + (isLinked ? 1000 : 0), String(isLinked)],
    ),
  )
  print(isLinked ? 'a booking, with its person' : 'a booking, without', times)
  await owner.query('alter table public.bookings enable trigger link_to_person')
}

async function timeSearch(database: Database, term: string): Promise<void> {
  const times = await repeat(() =>
    database.transaction(admin, (query) =>
      query.unchecked('select public.search_everything($1)', [term]),
    ),
  )
  print(`search ${term}`, times)
}

async function repeat(work: (nth: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    const started = performance.now()
    await work(nth)
    times.push(performance.now() - started)
  }
  // The first ones plan and fill caches.
  return times.slice(10)
}

function print(what: string, times: readonly number[]): void {
  const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  console.log(`  ${what.padEnd(30)} median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
}
