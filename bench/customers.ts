import type pg from 'pg'
import { searchResults } from '#contracts/customers.ts'
import { backfillCustomers } from '#server/features/customers/backfill-customers.ts'
import { openDatabase } from '@local/postgres'
import { bringUpToDate, poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { adminHeaders, quantile } from './dashboard-fixtures.ts'
import { fillWithCustomers, nameOfFilledDatabase } from './customer-fixtures.ts'
import { createDatabase, shopSettings, startSharedPostgres } from './prepared.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Measures the work with customers in a shop with 100 appointments and in one with 100,000: linking a fiftieth of the
// appointments, booking with and without linking, and the dashboard's search.
//   npm run bench -- customers

const sizes = isSmoke ? [100] : [100, 100_000]
const rounds = amountOf(60, 1)
const warmUps = amountOf(10, 0)
/**
 * The SQL condition that selects a fiftieth of the customers by their number. The server's job, which links appointments
 * to customers, creates these customers.
 */
const isLinkedByJob = `who % 50 = 9`
/** Search terms that find the same number of records in the small shop and in the large one. */
const terms = [
  'maria delgado',
  'delg',
  '5550007',
  '(201) 555-0007',
  'okafor civic',
  'maria',
  'de',
  '555',
  'toyota',
  'INV-2026',
]

const server = await startSharedPostgres('customers')
const running: ServerProcess[] = []
try {
  for (const bookings of sizes) running.push(await openShop(bookings))
  await compareSearches(running)
} finally {
  for (const shop of running) await shop.end()
  await server.stop()
}

/**
 * Creates a shop with the given number of appointments, and prints how long the server's job takes to link a fiftieth of
 * them to customers.
 */
async function openShop(bookings: number): Promise<ServerProcess> {
  const url = await createDatabase(server, nameOfFilledDatabase(bookings))
  await bringUpToDate(url)
  const owner = openPool(url, 2)
  const database = openDatabase(poolUrlOf(url))
  try {
    await fillWithCustomers(owner, bookings, `not (${isLinkedByJob})`)
    const started = performance.now()
    const linked = await backfillCustomers(database, new AbortController().signal)
    const seconds = (performance.now() - started) / 1000
    console.log(`${bookings} appointments: ${linked} linked in ${seconds.toFixed(1)} s`)
    await owner.query('vacuum analyze')
    for (const isLinked of [false, true]) await timeBookings(owner, isLinked)
  } finally {
    await Promise.all([owner.end(), database.close()])
  }
  return startServer({ ...shopSettings, DATABASE_URL: url })
}

/**
 * Measures bookings by new customers. Such bookings are the slowest, because the database creates a customer for each.
 */
async function timeBookings(owner: pg.Pool, isLinked: boolean): Promise<void> {
  await owner.query(
    `alter table public.bookings ${isLinked ? 'enable' : 'disable'} trigger t50_link_to_customer`,
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
  print(isLinked ? 'a booking, linked to its customer' : 'a booking, not linked', times)
  await owner.query('alter table public.bookings enable trigger t50_link_to_customer')
}

/**
 * Measures the dashboard's search in a small and a large shop in alternating turns, so that other load on the machine
 * slows both shops alike. A search finds the same number of records in each shop; the shops differ in the number of
 * other records.
 */
async function compareSearches(shops: readonly ServerProcess[]): Promise<void> {
  const searches = await Promise.all(shops.map(({ url }) => searchOf(url)))
  console.log(
    `${'search, median ms, p95 ms'.padEnd(26)}${sizes.map((size) => `${size} appointments`.padEnd(22)).join('')}ratio`,
  )
  for (const term of terms) {
    const times = searches.map((): number[] => [])
    const shown = searches.map(() => '')
    for (let run = -warmUps; run < rounds; run += 1) {
      for (const [index, search] of searches.entries()) {
        const started = performance.now()
        shown[index] = await search(term)
        // The first runs, which are not measured, make PostgreSQL plan the statements and fill its caches.
        if (run >= 0) times[index]?.push(performance.now() - started)
      }
    }
    const parts = times.map((all) => [0.5, 0.95].map((part) => quantile(all, part)))
    const cells = parts.map((one, index) =>
      `${one.map((ms) => ms.toFixed(1)).join(', ')} (${shown[index]})`.padEnd(22),
    )
    const ratios = [0, 1].map((part) =>
      ((parts[1]?.[part] ?? 0) / (parts[0]?.[part] ?? 1)).toFixed(2),
    )
    console.log(`  ${term.padEnd(24)}${cells.join('')}${ratios.join(', ')}`)
  }
}

/** Searches and returns the number of customers, vehicles, appointments and documents shown. */
async function searchOf(url: string): Promise<(term: string) => Promise<string>> {
  const headers = await adminHeaders(url)
  return async (term) => {
    const response = await fetch(`${url}/rest/v1/rpc/search_everything`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ term }),
    })
    const { customers, vehicles, bookings, documents } = searchResults.parse(await response.json())
    return [customers, vehicles, bookings, documents].map(({ length }) => length).join(' ')
  }
}

async function repeat(work: (nth: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    const started = performance.now()
    await work(nth)
    times.push(performance.now() - started)
  }
  // The first runs, which are not measured, make PostgreSQL plan the statements and fill its caches.
  return times.slice(warmUps)
}

function print(what: string, times: readonly number[]): void {
  const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  console.log(`  ${what.padEnd(30)} median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
}
