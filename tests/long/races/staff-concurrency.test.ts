import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Identity, openDatabase } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addBay,
  addService,
  admin,
  bookingRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'

const seconds = testSize('STAFF_SECONDS', { short: 3, long: 60 })
const sessions = 40

let shop: TestDatabase
let pool: Database
let services: string[]
const bays: string[] = []
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  services = [
    await addService(shop, 'Rush, 90 minutes', 90),
    await addService(shop, 'Rush, 30', 30),
  ]
  for (const name of ['Bay 2', 'Bay 3', 'Rack']) bays.push(await addBay(shop, name))
  await shop.owner.query('insert into public.bay_services values ($1, $2)', [bays[2], services[1]])
  pool = openDatabase(shop.url, { maxConnections: sessions })
  // Opens all database connections before the simulated staff begin their actions.
  await Promise.all(Array.from({ length: sessions }, () => pool.pool.query('select pg_sleep(0.2)')))
})
afterAll(async () => {
  await pool?.close()
  await shop.drop()
})

/** Two days that visitors can book, and a past day, on which no-shows are possible. */
const days = ['2026-11-28', '2026-11-29', '2026-11-19']
const states = ['confirmed', 'arrived', 'in_work', 'completed', 'cancelled', 'no_show']

const random = (below: number) => Math.floor(Math.random() * below)
const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
const clock = (quarters: number) => {
  const minutes = 12 * 60 + quarters * 15
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

let customerCount = 0

type Values = Record<string, unknown>

/** Returns a statement that calls a procedure with named arguments. */
function call(name: string, values: Values): [string, unknown[]] {
  const named = Object.keys(values).map((key, index) => `${key} => $${index + 1}`)
  return [`select * from public.${name}(${named.join(', ')})`, Object.values(values)]
}

function insert(): [string, unknown[]] {
  customerCount += 1
  const row = bookingRow(oneOf(services), {
    appointment_date: oneOf(days.slice(0, 2)),
    appointment_time: clock(random(8) * 2),
    customer_email: `rush${customerCount}@example.com`,
    customer_phone: `(650) 556-${String(customerCount).padStart(5, '0')}`,
  })
  const columns = Object.keys(row)
  const placeholders = columns.map((_, index) => `$${index + 1}`)
  return [
    `insert into public.bookings (${columns.join(', ')}) values (${placeholders.join(', ')})`,
    Object.values(row),
  ]
}

const randomSlot = () => ({
  appointment_date: oneOf(days),
  appointment_time: clock(random(16)),
  bay_id: oneOf([null, ...bays]),
  without_bay: random(10) === 0,
  minutes: oneOf([null, null, 30, 60, 26 * 60]),
  reason: 'The rush',
})

/** Chooses a random next action of an employee. */
async function randomAction(): Promise<[string, unknown[]]> {
  const { rows } = await shop.owner.query<{ id: string; version: number }>(
    'select id, version from public.bookings order by random() limit 4',
  )
  const [first] = rows
  const kind = first ? random(100) : 0
  if (!first || kind < 20) {
    const customer = { customer_name: 'Rush', customer_phone: '(650) 555-0155' }
    return call('book_by_phone', { ...randomSlot(), ...customer, service_id: oneOf(services) })
  }
  const outdated = kind % 10 === 0 ? 1 : 0
  const seen = { booking_id: first.id, seen_version: first.version - outdated }
  if (kind < 55) return call('move_booking', { ...seen, ...randomSlot() })
  if (kind < 75) {
    const options = { allow_without_bay: random(4) === 0 }
    return call('change_booking_state', { ...seen, new_state: oneOf(states), ...options })
  }
  const several = rows.map(({ id }) => id)
  if (kind < 82) return call('cancel_bookings', { booking_ids: several, reason: 'The rush' })
  if (kind < 88) return call('reopen_bookings', { booking_ids: several })
  if (kind < 91) return call('accept_schedule_conflicts', { booking_ids: several })
  const state = oneOf(['confirmed', 'cancelled', 'pending'])
  if (kind < 96)
    return ['update public.bookings set status = $1 where id = any ($2)', [state, several]]
  return [
    `update public.bookings set completed_at = now(), completed_by = 'admin' where id = $1`,
    [first.id],
  ]
}

/** Runs the statement and returns the outcome: 'booked', 'done', or the SQLSTATE. */
async function outcomeOf(identity: Identity, [sql, values]: [string, unknown[]]): Promise<string> {
  try {
    await pool.transaction(identity, (query) => query.unchecked(sql, values))
    return /book_by_phone|^insert/.test(sql) ? 'booked' : 'done'
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error)
  }
}

/** Returns a visitor with a client address and form token of their own, so that no limit on visitors applies. */
const otherVisitor = (nth: number): Identity => ({
  role: 'anon',
  headers: { ...visitor.headers, 'x-client-address-hash': `rush ${nth}`, 'x-rate-limits': 'off' },
})

async function runConcurrently(): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>()
  const deadline = Date.now() + seconds * 1000
  const session = async (nth: number) => {
    while (Date.now() < deadline) {
      const outcome =
        nth % 3 === 0
          ? await outcomeOf(otherVisitor(customerCount), insert())
          : await outcomeOf(admin, await randomAction())
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: sessions }, (_, nth) => session(nth)))
  return outcomes
}

const count = async (sql: string): Promise<number> => {
  const { rows } = await shop.owner.query<{ count: number }>(
    `select count(*)::int as count from ${sql}`,
  )
  return rows[0]?.count ?? -1
}

/**
 * The SQLSTATEs of the expected refusals. 23P01: time taken; TT051: version conflict; TT062, TT063, TT067: state change
 * not allowed; TT064: service not in this bay.
 */
const refusals = ['23P01', 'TT051', 'TT062', 'TT063', 'TT064', 'TT067']
const expected = new Set([...refusals, 'booked', 'done'])

describe(`${sessions} concurrent sessions that book, move, place, change and cancel appointments for ${seconds} seconds`, () => {
  it(
    'leave no two vehicles in one bay at the same time, no change without a history entry, and no deadlock',
    { timeout: seconds * 1000 + 60_000 },
    async () => {
      const outcomes = await runConcurrently()
      expect([...outcomes.keys()].filter((outcome) => !expected.has(outcome))).toEqual([])
      expect(outcomes.get('done')).toBeGreaterThan(0)
      expect(outcomes.get('23P01')).toBeGreaterThan(0)

      expect(
        await count(`public.bookings a join public.bookings b on a.id < b.id and a.bay_id = b.bay_id
        and a.occupied && b.occupied
        where not array[a.status, b.status] && array['cancelled', 'not_confirmed', 'no_show']`),
      ).toBe(0)
      // Every acknowledged appointment is stored, with the first line of its history.
      const made = outcomes.get('booked') ?? 0
      expect(await count('public.bookings')).toBe(made)
      expect(await count(`public.booking_events where kind = 'booked'`)).toBe(made)
      // Each line of a history starts with the state in which the previous line ended, so no line is missing.
      expect(
        await count(`public.booking_events event, jsonb_each(event.before) was
        where was.value <> (
          select earlier.after -> was.key from public.booking_events earlier
          where earlier.booking_id = event.booking_id and earlier.id < event.id and earlier.after ? was.key
          order by earlier.id desc limit 1)`),
      ).toBe(0)
      // The last line of each history matches the current state of the appointment.
      expect(
        await count(`public.bookings booking where internal.booking_snapshot(booking) <> (
        select jsonb_object_agg(key, value) from (
          select distinct on (key) key, value
          from public.booking_events event, jsonb_each(event.after)
          where booking_id = booking.id order by key, event.id desc) last)`),
      ).toBe(0)
      expect(
        await count(`pg_stat_database where datname = current_database() and deadlocks > 0`),
      ).toBe(0)
      const all = [...outcomes.values()].reduce((sum, each) => sum + each, 0)
      const lines = await count('public.booking_events')
      reportFigure(
        `${sessions} sessions, ${seconds} s: ${all} actions (${[...outcomes].map(([code, n]) => `${code} ${n}`).join(', ')}), ` +
          `${lines} lines, 0 overlaps, 0 deadlocks`,
      )
    },
  )
})
