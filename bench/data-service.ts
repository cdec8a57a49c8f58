import { fork } from 'node:child_process'
import autocannon from 'autocannon'
import type pg from 'pg'
import { bringUpToDate, poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { findPostgrest, startPostgrest } from '@local/data-service/testing'
import { emptyBookings } from './empty-bookings.ts'
import { startPostgres } from './prepared.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Compares the data service (the product's REST API) with PostgREST and with the bare database driver, which runs the
// same transactions: one database, 32 connections, in alternating turns, so that other load on the machine slows all
// alike.
//   npm run bench -- data-service      (BENCH_SECONDS: length of one turn, 1 by default)

const seconds = amountOf(1, 1, 'BENCH_SECONDS')
const turns = amountOf(3, 1)
const connections = 32
const poolSize = 10

type Workload = {
  readonly name: string
  readonly path: string
  /** Returns the JSON body of the next request; a workload without `body` sends GET requests. */
  readonly body?: () => string
  /** Returns the statement that a program without a REST API would send to the database for the next request. */
  readonly bare: () => { name: string; text: string; values: unknown[] }
  /** Empties the tables into which the workload inserts rows. */
  readonly reset?: () => Promise<unknown>
}

type Turn = { readonly perSecond: number; readonly refused: number; readonly p99: number }

const server = await startPostgres()
try {
  await bringUpToDate(server.ownerUrl)
  await compare(server.ownerUrl, poolUrlOf(server.ownerUrl))
} finally {
  await server.stop()
}

async function compare(ownerUrl: string, databaseUrl: string): Promise<void> {
  const owner = openPool(ownerUrl, 2)
  const bare = openPool(databaseUrl, poolSize)
  const ours = await startOurs(databaseUrl)
  const binary = findPostgrest()
  const postgrest = binary
    ? await startPostgrest(binary, databaseUrl, 'x'.repeat(32), poolSize)
    : undefined
  try {
    print('data service, 32 connections', [
      'ours',
      'PostgREST 12',
      'bare pg',
      '/PostgREST',
      '/bare',
    ])
    for (const workload of await workloads(owner)) {
      const results = await takeTurns(workload, {
        ours: () => load(`${ours.url}/rest/v1`, workload),
        bare: () => drive(bare, workload),
        ...(postgrest && { postgrest: () => load(postgrest.url, workload) }),
      })
      print(workload.name, row(results))
      // A refused request costs less than an accepted one, so the figures of a run with refused requests are not valid.
      if (Object.values(results).some(({ refused }) => refused > 0)) process.exitCode = 1
    }
  } finally {
    ours.stop()
    await Promise.all([postgrest?.stop(), bare.end(), owner.end()])
  }
}

/**
 * Measures each contender (the product's REST API, PostgREST or the bare database driver) in three alternating turns
 * after a warm-up turn. Returns for each contender the turn with the median of requests per second.
 */
async function takeTurns(
  workload: Workload,
  contenders: Readonly<Record<string, () => Promise<Turn>>>,
): Promise<Record<string, Turn>> {
  const results: Record<string, Turn[]> = {}
  // The first turn is not measured, because it fills caches and lets both services compile their code.
  for (let turn = isSmoke ? 1 : 0; turn <= turns; turn += 1) {
    for (const [name, contend] of Object.entries(contenders)) {
      await workload.reset?.()
      const result = await contend()
      if (turn > 0) (results[name] ??= []).push(result)
    }
  }
  return Object.fromEntries(Object.entries(results).map(([name, all]) => [name, median(all)]))
}

async function load(base: string, { path, body }: Workload): Promise<Turn> {
  const result = await autocannon({
    url: base + path,
    connections,
    duration: seconds,
    ...(isSmoke && { amount: connections }),
    headers: { 'x-rate-limits': 'off', ...(body && { 'content-type': 'application/json' }) },
    ...(body && {
      method: 'POST',
      requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
    }),
  })
  return {
    perSecond: result['2xx'] / result.duration,
    refused: result.non2xx + result.errors,
    p99: result.latency.p99,
  }
}

/**
 * Runs a workload with the bare database driver: begins a transaction, sets the role and the JWT claims, runs the
 * statement, and commits.
 */
async function drive(pool: pg.Pool, { bare }: Workload): Promise<Turn> {
  const end = performance.now() + seconds * 1000
  const latencies: number[] = []
  let refused = 0
  const isOver = () =>
    isSmoke ? latencies.length + refused >= connections : performance.now() >= end
  const worker = async () => {
    while (!isOver()) {
      const start = performance.now()
      const client = await pool.connect()
      try {
        await client.query(
          `begin; set local role anon; select set_config('request.jwt.claims', '{"role":"anon"}', true),
             set_config('request.headers', '{"x-rate-limits":"off"}', true)`,
        )
        JSON.stringify((await client.query(bare())).rows)
        await client.query('commit')
        latencies.push(performance.now() - start)
      } catch {
        refused += 1
        await client.query('rollback')
      } finally {
        client.release()
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  latencies.sort((a, b) => a - b)
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0
  return { perSecond: latencies.length / seconds, refused, p99 }
}

async function workloads(owner: pg.Pool): Promise<Workload[]> {
  const { rows: services } = await owner.query<{ id: string }>(
    `select id from services order by duration_minutes limit 1`,
  )
  const slots = await freeSlots(owner)
  const nextSlot = cycle(slots)
  await openEveryForm(owner)
  let customerCount = 0
  const booking = () => {
    const slot = nextSlot()
    customerCount += 1
    return {
      service_id: services[0]?.id,
      appointment_date: slot.date,
      appointment_time: slot.time,
      customer_name: 'Bench Mark',
      customer_email: `bench${customerCount}@example.com`,
      customer_phone: `555-${customerCount}`,
      vehicle_year: '2020',
      vehicle_make: 'Honda',
      vehicle_model: 'Civic',
      status: 'confirmed',
    }
  }
  const columns = Object.keys(booking())
  const placeholders = columns.map((_, index) => `$${index + 1}`).join(', ')
  return [
    {
      name: 'GET services',
      path: '/services?select=*&is_active=eq.true&order=name.asc',
      bare: () => ({
        name: 'services',
        text: 'select * from services where is_active = $1 order by name',
        values: [true],
      }),
    },
    {
      name: 'rpc is_time_slot_available',
      path: '/rpc/is_time_slot_available',
      body: () => {
        const { date, time } = nextSlot()
        return JSON.stringify({ service_duration: 30, booking_date: date, booking_time: time })
      },
      bare: () => {
        const { date, time } = nextSlot()
        return {
          name: 'slot',
          text: 'select is_time_slot_available($1, $2, $3)',
          values: [30, date, time],
        }
      },
    },
    {
      name: 'INSERT booking',
      path: '/bookings',
      body: () => JSON.stringify(booking()),
      bare: () => ({
        name: 'booking',
        text: `insert into bookings (${columns.join(', ')}) values (${placeholders})`,
        values: Object.values(booking()),
      }),
      reset: () => emptyBookings(owner),
    },
  ]
}

type Slot = { readonly date: string; readonly time: string }

/**
 * Returns half-hour start times that the database accepts; consecutive times are on different days. A month has too few
 * start times for a turn, so the booking window of this database is two years; all other rules have their default
 * values.
 */
async function freeSlots(owner: pg.Pool): Promise<Slot[]> {
  const days = amountOf(730, 30)
  await owner.query(
    `alter table public.booking_rules drop constraint booking_rules_booking_window_days_in_range;
     update public.booking_rules set booking_window_days = ${days}`,
  )
  const { rows } = await owner.query<Slot>(`
    select d::date::text as date, t::time::text as time
    from generate_series(internal.shop_now()::date + 1, internal.shop_now()::date + ${days}, '1 day') d,
      generate_series(timestamp '2000-01-01', timestamp '2000-01-01 23:30', '30 minutes') t
    where internal.booking_refusal(d::date, t::time, 30) is null
    order by t, d`)
  return rows
}

/**
 * Disables the check of the form token, because the database would hold every booking without a valid token for review.
 */
async function openEveryForm(owner: pg.Pool): Promise<void> {
  await owner.query(`
    create or replace function internal.problem_of_refused_token(token text, age interval) returns text
      language sql immutable set search_path = '' return null`)
}

function cycle<Item>(items: readonly Item[]): () => Item {
  let next = 0
  return () => {
    const item = items[next++ % items.length]
    if (item === undefined) throw new Error('The list to choose from is empty')
    return item
  }
}

async function startOurs(databaseUrl: string): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL('data-service-server.ts', import.meta.url), [
    databaseUrl,
    String(poolSize),
  ])
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string))
    child.once('exit', () => reject(new Error('The data service did not start')))
  })
  return { url, stop: () => void child.kill() }
}

function median(all: readonly Turn[]): Turn {
  const sorted = all.toSorted((a, b) => a.perSecond - b.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('No turn was measured')
  return { ...middle, refused: all.reduce((sum, turn) => sum + turn.refused, 0) }
}

function row({ ours, postgrest, bare }: Record<string, Turn>): string[] {
  const rate = (turn?: Turn) =>
    turn
      ? `${Math.round(turn.perSecond)}/s p99 ${turn.p99.toFixed(0)} ms${turn.refused ? ` (${turn.refused} refused)` : ''}`
      : 'no binary'
  const ratio = (other?: Turn) =>
    ours && other ? (ours.perSecond / other.perSecond).toFixed(2) : '-'
  return [rate(ours), rate(postgrest), rate(bare), ratio(postgrest), ratio(bare)]
}

function print(name: string, cells: readonly string[]): void {
  process.stdout.write(`${name.padEnd(30)}${cells.map((cell) => cell.padEnd(26)).join('')}\n`)
}
