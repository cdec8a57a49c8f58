import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { type PipelinedStatement, runPipelined } from '@local/postgres'
import { findRunningServer } from '@local/embedded-postgres'
import { startServer } from '#tests/support/app/server-process.ts'
import { addBaysAndClosures } from './compare-commits.ts'
import { quantile } from './dashboard-fixtures.ts'
import { provideCommit } from './earlier-commit.ts'
import { linkAllRecords } from './customer-fixtures.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Profiles one availability check: over HTTP, in PostgreSQL, and in each of its functions and statements. Runs in a new
// shop, in one with 100,000 appointments, and in one with six bays and twelve closures.
//   npm run bench -- availability-profile                      today's code and 618b292
//   npm run bench -- availability-profile --against 53de4f3    another commit than the usual one

const rounds = amountOf(1_000, 3)
const bookings = amountOf(100_000, 100)
const root = join(import.meta.dirname, '..')
const date = addDays(shopToday(new Date()), 7)
const question = { service_duration: 45, booking_date: date, booking_time: '13:30:00' }

/** Switches to the visitor's role, as the data service does at the start of each transaction. */
const setRole: PipelinedStatement = {
  text: `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
    set_config('request.headers', $3, true), set_config('statement_timeout', $4, true)`,
  values: ['anon', '{"role":"anon"}', '{}', '3000'],
}
const call: PipelinedStatement = {
  text: 'select public.is_time_slot_available($1::integer, $2::date, $3::time)',
  values: ['45', date, '13:30:00'],
}

const { values } = parseArgs({
  strict: false,
  options: { against: { type: 'string', default: '618b292' } },
})
const commit = String(values.against)
await profile('today', root)
if (!isSmoke) {
  const checkout = provideCommit(commit)
  if (checkout.ok) await profile(commit, checkout.value)
  else console.log(`${commit} is not profiled: ${checkout.refusal}`)
}

async function profile(name: string, checkout: string): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-bench-profile-'))
  const settings = { DATA_DIR: dataDirectory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const shop = await startServer(settings, 'server/main.ts', checkout)
  const client = new Client({ connectionString: findRunningServer(dataDirectory) })
  try {
    await client.connect()
    const report = async (what: string) => {
      console.log(`\n${name}, ${what}`)
      print('the request over HTTP', await medianOf(() => requestTimes(shop.url)))
      await measureStatements(client)
      await measureFunctions(client)
    }
    await report('a fresh shop')
    await fillWithBookings(client)
    // Links the bookings to customers before the measurement; otherwise a job of the server would link them during
    // it. An earlier commit has no table of customers.
    if (await hasTable(client, 'public.customers')) await linkAllRecords(client)
    await report(`${bookings.toLocaleString('en-US')} appointments`)
    // An earlier commit has no table of closures, or has it under another name.
    if (await hasTable(client, 'public.special_hours')) {
      await addBaysAndClosures(client)
      await report('the same appointments, six bays and twelve closures')
    }
  } finally {
    await client.end()
    await shop.end()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function requestTimes(url: string): Promise<void> {
  const response = await fetch(`${url}/rest/v1/rpc/is_time_slot_available`, {
    method: 'POST',
    headers: { apikey: publicAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  if ((await response.text()) !== 'true') throw new Error(`${date} 13:30 is not free`)
}

/**
 * Sends each statement in its own round trip. The first statement shows the cost of the round trip, the transaction
 * and the role.
 */
async function measureStatements(client: Client): Promise<void> {
  const nothing = { text: 'select 1', values: [] }
  for (const [name, statement] of [
    ['a round trip with an empty statement', nothing],
    ['a round trip with the availability check', call],
  ] as const) {
    print(name, await medianOf(() => runPipelined(client, 'anon', [setRole, statement])))
  }
  await client.query('begin')
  await client.query(call.text, [...call.values])
  const [{ locks }] = await rowsOf<{ locks: number }>(
    client,
    `select count(*)::integer as locks from pg_locks where pid = pg_backend_pid() and locktype in ('relation', 'advisory')`,
  )
  await client.query('commit')
  console.log(`  ${'tables, indexes and advisory keys locked'.padEnd(60)} ${locks}`)
}

/**
 * Measures functions and statements with PostgreSQL's statistics. Collecting the statistics takes time, so these
 * figures are comparable only with each other.
 */
async function measureFunctions(client: Client): Promise<void> {
  await client.query(`select pg_stat_reset(); set track_functions = 'all'`)
  for (let round = 0; round < rounds; round += 1) {
    await runPipelined(client, 'anon', [setRole, call])
  }
  await client.query(`set track_functions = 'none'; select pg_stat_force_next_flush()`)
  const functions = await rowsOf<{ name: string; calls: number; micros: number }>(
    client,
    `select schemaname || '.' || funcname as name, calls::float / ${rounds} as calls, self_time * 1000 / ${rounds} as micros
     from pg_stat_user_functions order by self_time desc`,
  )
  for (const { name, calls, micros } of functions)
    print(`  ${calls} x ${name}, without callees`, micros)
  for (const { text, micros } of await explain(client)) print(`  executes ${text}`, micros)
}

type Executed = { readonly text: string; readonly micros: number }

/** Lists every statement of one call without planning time; statements inside functions come first. */
async function explain(client: Client): Promise<Executed[]> {
  const executed: Executed[] = []
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    const [, millis, text = ''] =
      /^duration: ([\d.]+) ms\s+plan:\s+Query Text: ([\s\S]+?)\n[^\n]*\(cost/.exec(message) ?? []
    if (!millis) return
    executed.push({ text: text.replace(/\s+/g, ' ').slice(0, 64), micros: Number(millis) * 1000 })
  }
  await client.query(`load 'auto_explain'; set auto_explain.log_level = 'notice';
    set auto_explain.log_nested_statements = on; set auto_explain.log_min_duration = 0`)
  client.on('notice', listen)
  await runPipelined(client, 'anon', [setRole, call])
  client.off('notice', listen)
  await client.query('set auto_explain.log_min_duration = -1')
  return executed.filter(({ text }) => !text.includes('set_config'))
}

/**
 * Inserts completed appointments, twenty for each day before today. Columns such as `service_name` are filled only in
 * commits that have them.
 */
async function fillWithBookings(client: Client): Promise<void> {
  const given: Record<string, string> = {
    service_id: '(select id from public.services order by name limit 1)',
    appointment_date: 'day',
    appointment_time: 'at',
    duration_minutes: '30',
    customer_name: `'Dana Whitfield'`,
    customer_email: `'dana' || n % 40000 || '@customer.example'`,
    customer_phone: `'(' || 200 + n / 100 % 800 || ') 555-01' || lpad((n % 100)::text, 2, '0')`,
    completed_at: 'now()',
    completed_by: `'admin'`,
    service_name: `'Oil change'`,
    notified_starts_at: 'day + at',
  }
  const columns = await rowsOf<{ name: string }>(
    client,
    `select attname as name from pg_attribute
     where attrelid = 'public.bookings'::regclass and attname = any ('{${Object.keys(given).join(',')}}')`,
  )
  const names = columns.map(({ name }) => name)
  await client.query(`
    alter table public.bookings disable trigger user;
    insert into public.bookings (${names.join(', ')})
    select ${names.map((name) => given[name]).join(', ')}
    from generate_series(0, ${bookings - 1}) n,
         lateral (select date '${date}' - 8 - n / 20 as day, time '08:00' + n % 20 * interval '30 minutes' as at) as their;
    alter table public.bookings enable trigger user`)
  await client.query('vacuum analyze')
}

/** Returns the median duration of many sequential runs, in microseconds. */
async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let round = 0; round < rounds * 1.2; round += 1) {
    const started = performance.now()
    await work()
    // Fills caches before the measured runs.
    if (round >= rounds * 0.2) durations.push((performance.now() - started) * 1000)
  }
  return quantile(durations, 0.5)
}

async function hasTable(client: Client, name: string): Promise<boolean> {
  const [{ found }] = await rowsOf<{ found: boolean }>(
    client,
    `select to_regclass('${name}') is not null as found`,
  )
  return found
}

async function rowsOf<Row extends object>(client: Client, text: string): Promise<[Row, ...Row[]]> {
  return (await client.query(text)).rows as [Row, ...Row[]]
}

function print(what: string, micros: number): void {
  console.log(`  ${what.padEnd(84)} ${micros.toFixed(0).padStart(6)} µs`)
}
