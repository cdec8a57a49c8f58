import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { notifyCustomer } from '#server/features/bookings/notify-customer.ts'
import { remindCustomers } from '#server/features/reminders/remind-customers.ts'
import { openDatabase } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addBay, addService, admin } from '#tests/support/database/database-fixtures.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'

/*
 * Simulates a month at a shop, hour by hour: staff make, move, cancel and reopen appointments, while the processes that
 * send reminders start and stop. At the end, the test compares every email with the expected ones.
 */

/** The month contains the night on which daylight saving time ends. */
const first = '2026-10-29'
const days = testSize('DAYS', { short: 6, long: 30 })
const bookings = days * 10
const publicUrl = 'https://shop.example'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Brake check', 60)
  for (let bay = 2; bay <= 6; bay += 1) await addBay(shop, `Bay ${bay}`)
})
afterAll(() => shop.drop())

/** The expected state of an appointment, which the test computes without the database. */
type ExpectedBooking = {
  readonly id: string
  version: number
  date: string
  time: string
  sequence: number
  isActive: boolean
  /** The hour of the month in which staff last changed the time or the state of the appointment. */
  chosenIn: number
}

it(
  'a month of bookings, moves and cancellations causes exactly the expected emails and reminders',
  { timeout: 600_000 },
  async () => {
    const random = seeded(20_261_122)
    const expectedBookings: ExpectedBooking[] = []
    const expected = new Set<string>()
    for (let hour = 0; hour < days * 24; hour += 1) {
      const today = addDays(first, Math.floor(hour / 24))
      const clock = hour % 24
      await setShopClock(shop.owner, await instantOf(today, clock))
      if (clock >= 8 && clock < 20) await work(hour, today)
      if (clock === 17) for (const key of remindersOf(hour, today)) expected.add(key)
      await remind()
    }
    const emails = await written()
    expect(emails).toEqual([...expected].toSorted())
    const reminders = emails.filter((key) => key.includes(':reminder:')).length
    expect(reminders).toBeGreaterThan(days)
    reportFigure(
      `${days} days, ${expectedBookings.length} appointments: ${emails.length} emails, ${reminders} of them reminders, each accounted for`,
    )

    async function work(hour: number, today: string) {
      const due = Math.ceil((bookings - expectedBookings.length) / (days * 24 - hour) + random())
      for (let n = 0; n < due && expectedBookings.length < bookings; n += 1) await book(hour, today)
      const one = expectedBookings[Math.floor(random() * expectedBookings.length)]
      if (!one || one.date <= today) return
      const luck = random()
      if (one.isActive && luck < 0.3) await move(one, hour, today)
      else if (one.isActive && luck < 0.4) await become(one, 'cancelled', hour)
      else if (!one.isActive && luck < 0.5) await become(one, 'confirmed', hour)
    }

    async function book(hour: number, today: string) {
      const [date, time] = [someDay(today), someTime()]
      const row = await tried(
        `select id, version from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
         customer_name => 'Sam Okafor', customer_phone => '555-0155', customer_email => 'sam@customer.example')`,
        [serviceId, date, time],
      )
      if (!row) return
      expectedBookings.push({ ...row, date, time, sequence: 0, isActive: true, chosenIn: hour })
      await notify(row.id, 'booked')
      expected.add(`booking:${row.id}`)
    }

    async function move(one: ExpectedBooking, hour: number, today: string) {
      const [date, time] = [someDay(today), someTime()]
      if (date === one.date && time === one.time) return
      const row = await tried('select id, version from public.move_booking($1, $2, $3, $4)', [
        one.id,
        one.version,
        date,
        time,
      ])
      if (!row) return
      Object.assign(one, { ...row, date, time, sequence: one.sequence + 1, chosenIn: hour })
      await notify(one.id, 'moved')
      expected.add(`booking:${one.id}:moved:${one.sequence}`)
    }

    async function become(one: ExpectedBooking, state: 'cancelled' | 'confirmed', hour: number) {
      const row = await tried('select id, version from public.change_booking_state($1, $2, $3)', [
        one.id,
        state,
        one.version,
      ])
      if (!row) return
      const isActive = state === 'confirmed'
      Object.assign(one, { ...row, isActive, sequence: one.sequence + 1, chosenIn: hour })
      if (isActive) return
      await notify(one.id, 'cancelled')
      expected.add(`booking:${one.id}:cancelled:${one.sequence}`)
    }

    /**
     * Returns the keys of the reminders that the job should send in this hour: one for each active appointment of
     * tomorrow that staff last made or changed in an earlier hour.
     */
    function remindersOf(hour: number, today: string): string[] {
      return expectedBookings
        .filter(
          ({ date, isActive, chosenIn }) =>
            isActive && date === addDays(today, 1) && chosenIn < hour,
        )
        .map(({ id, sequence }) => `booking:${id}:reminder:${sequence}`)
    }

    function someDay(today: string): string {
      return addDays(today, 1 + Math.floor(random() * 6))
    }

    function someTime(): string {
      return `${String(11 + Math.floor(random() * 7))}:00`
    }

    /**
     * Runs the reminder job twice at the same time, as two processes would. The second run uses database connections of
     * its own, which are closed afterwards.
     */
    async function remind() {
      const other = openDatabase(shop.url)
      const site = { shop: defaultShop, publicUrl }
      await Promise.all([
        remindCustomers({ database: shop.database, ...site }),
        remindCustomers({ database: other, ...site }),
      ])
      await other.close()
    }
  },
)

async function instantOf(date: string, hour: number): Promise<string> {
  const { rows } = await shop.owner.query<{ instant: Date }>(
    `select ($1::date + $2 * interval '1 hour') at time zone 'America/Los_Angeles' as instant`,
    [date, hour],
  )
  return rows[0]?.instant.toISOString() ?? ''
}

/** Returns undefined when the database refuses the change because no bay is free or the shop is closed. */
async function tried(sql: string, values: unknown[]) {
  try {
    const [row] = await shop.database.transaction(admin, (query) =>
      query.unchecked<{ id: string; version: number }>(sql, values),
    )
    return row
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '23P01' || code === 'TT067') return undefined
    throw error
  }
}

async function notify(bookingId: string, about: 'booked' | 'moved' | 'cancelled') {
  const context = { currentShop: () => defaultShop, publicUrl }
  const notified = await shop.database.transaction(asServer, (query) =>
    notifyCustomer(context, query, bookingId, about),
  )
  expect(notified.ok).toBe(true)
}

async function written(): Promise<string[]> {
  const { rows } = await shop.owner.query<{ key: string }>(
    'select dedupe_key as key from public.emails',
  )
  return rows.map(({ key }) => key).toSorted()
}

/**
 * Returns a generator of numbers from 0 to below 1 that are the same in every run: a linear congruential generator
 * (Numerical Recipes).
 */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
