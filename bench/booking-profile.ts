import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { type PipelinedStatement, runPipelined } from '@local/postgres'
import { findRunningServer } from '@local/embedded-postgres'
import { startServer } from '#tests/support/app/server-process.ts'
import { quantile } from './dashboard-fixtures.ts'
import { provideCommit } from './earlier-commit.ts'
import { type FreeTime, bookingOf, listFreeTimes, openForms } from './site-requests.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Profiles one booking by a visitor in PostgreSQL: each function, statement and trigger, and the locks.
//   npm run bench -- booking-profile                      today's code and 618b292
//   npm run bench -- booking-profile --against 53de4f3    another commit than the usual one

const rounds = amountOf(150, 3)
const root = join(import.meta.dirname, '..')
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
    const times = (await listFreeTimes(shop.url)).values()
    const tokens = await openForms(shop.url, rounds * 2 + 12)
    const bookNext = () => book(client, times.next().value, tokens.pop())
    console.log(`\n${name}, bookings of a fresh shop in one connection`)
    // Fills caches before the measured bookings.
    for (let round = 0; round < 10; round += 1) await bookNext()
    await measureBookings(bookNext)
    await measureFunctions(client, bookNext)
    await explainBooking(client, bookNext)
  } finally {
    await client.end()
    await shop.end()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** Books in one round trip, as the data service does: switches to the visitor's role and inserts the row. */
async function book(client: Client, time: FreeTime | undefined, token = ''): Promise<void> {
  if (!time) throw new Error('There are too few free times.')
  const headers = { 'x-form-token': token, 'x-rate-limits': 'off', 'x-links-later': 'yes' }
  const columns = Object.entries(bookingOf(time))
  const takeRole: PipelinedStatement = {
    text: `select set_config('role', 'anon', true), set_config('request.jwt.claims', '{"role":"anon"}', true),
      set_config('request.headers', $1, true)`,
    values: [JSON.stringify(headers)],
  }
  const insert: PipelinedStatement = {
    text: `insert into public.bookings (${columns.map(([column]) => column).join(', ')})
      values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: columns.map(([, value]) => value),
  }
  await runPipelined(client, 'anon', [takeRole, insert])
}

async function measureBookings(bookNext: () => Promise<void>): Promise<void> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await bookNext()
    taken.push((performance.now() - started) * 1000)
  }
  print('a booking with its round trip and its commit, median', quantile(taken, 0.5))
}

/**
 * Measures functions with PostgreSQL's statistics. Collecting the statistics takes time, so these figures are
 * comparable only with each other.
 */
async function measureFunctions(client: Client, bookNext: () => Promise<void>): Promise<void> {
  await client.query(`select pg_stat_reset(); set track_functions = 'all'`)
  for (let round = 0; round < rounds; round += 1) await bookNext()
  await client.query(`set track_functions = 'none'; select pg_stat_force_next_flush()`)
  const { rows } = await client.query<{ name: string; calls: number; micros: number }>(
    `select schemaname || '.' || funcname as name, round(calls / ${rounds}.0, 1)::float as calls,
            self_time * 1000 / ${rounds} as micros
     from pg_stat_user_functions where calls >= ${rounds} order by self_time desc`,
  )
  for (const { name, calls, micros } of rows) print(`  ${calls} x ${name}, without callees`, micros)
}

/**
 * Lists each statement of one booking with its triggers; statements inside functions come first. Recording the
 * statements makes all of them slower.
 */
async function explainBooking(client: Client, bookNext: () => Promise<void>): Promise<void> {
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    const [, millis, text = ''] =
      /^duration: ([\d.]+) ms\s+plan:\s+Query Text: ([\s\S]+?)\n[^\n]*\(cost/.exec(message) ?? []
    if (millis === undefined || text.includes('set_config')) return
    print(`  executes ${text.replace(/\s+/g, ' ').slice(0, 64)}`, Number(millis) * 1000)
    for (const [, trigger, time] of message.matchAll(/^Trigger (.+): time=([\d.]+)/gm)) {
      print(`    including trigger ${trigger}`, Number(time) * 1000)
    }
  }
  await client.query(`load 'auto_explain'; set auto_explain.log_level = 'notice';
    set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_triggers = on;
    set auto_explain.log_min_duration = 0`)
  client.on('notice', listen)
  await bookNext()
  client.off('notice', listen)
  await client.query('set auto_explain.log_min_duration = -1')
}

function print(what: string, micros: number): void {
  console.log(`  ${what.padEnd(90)} ${micros.toFixed(0).padStart(6)} µs`)
}
