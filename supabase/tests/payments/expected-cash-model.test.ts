import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayClose } from '#contracts/payments/day-close.ts'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

const cents = fc.integer({ min: 1, max: 60_000 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pay' as const), cents, isCash: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('giveBack' as const),
      cents,
      nth: fc.nat(20),
      isRefund: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('move' as const), cents, isIn: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      short: fc.nat(500),
      left: fc.nat(100),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Payment = { id: string; method: string; leftCents: number }

/** A model of the cash drawer in TypeScript: the cash total of each business day, and the closed days. */
class Model {
  today = '2026-11-27'
  start: number | undefined
  closed = ''
  readonly cash = new Map<string, number>()
  readonly payments: Payment[] = []
  get day() {
    return this.closed >= this.today ? addDays(this.closed, 1) : this.today
  }
  add(change: number) {
    this.cash.set(this.day, (this.cash.get(this.day) ?? 0) + change)
  }
  firstOpenDay() {
    return [...this.cash.keys()]
      .filter((day) => day > this.closed && day <= this.today)
      .toSorted()[0]
  }
}

const owner = async (sql: string, values: unknown[]) =>
  (await shop.owner.query<{ id: string }>(sql, values)).rows[0]?.id ?? ''
const asAdmin = async (sql: string, values: unknown[]) =>
  (
    await shop.database.transaction(admin, (query) =>
      query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
    )
  )[0]?.result

async function pay(model: Model, paid: number, isCash: boolean) {
  const method = isCash ? 'cash' : 'card_terminal'
  const id = await owner(
    `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
     values ('in_one', 'payment', $1, $2, 'usd', internal.current_instant()) returning id`,
    [method, paid],
  )
  model.payments.push({ id, method, leftCents: paid })
  model.add(isCash ? paid : 0)
}

async function giveBack(model: Model, { nth, cents: wanted, isRefund }: Step & { do: 'giveBack' }) {
  const payment = model.payments[nth % model.payments.length]
  const back = Math.min(wanted, payment?.leftCents ?? 0)
  if (!payment || back === 0) return
  // A refund can use another payment method than the refunded payment; a reversal uses the method of the reversed
  // payment.
  const method = isRefund ? 'cash' : payment.method
  await owner(
    `insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at)
     values ('in_one', $1, $2, $3, $4, 'usd', internal.current_instant())`,
    [isRefund ? 'refund' : 'reversal', method, payment.id, -back],
  )
  payment.leftCents -= back
  model.add(method === 'cash' ? -back : 0)
}

/** Closes the first open day: counts less cash than expected, and leaves part of the counted cash in the drawer. */
async function closeFirst(model: Model, { short, left }: Step & { do: 'close' }) {
  const day = model.firstOpenDay()
  if (!day) return
  const start = model.start ?? 10_000
  const expected = start + (model.cash.get(day) ?? 0)
  const read = dayClose.parse(await asAdmin('public.read_day_close($1)', [day]))
  expect((read.startCents ?? start) + read.cash.changeCents).toBe(expected)
  const counted = Math.max(0, expected - short)
  const remains = Math.floor((counted * left) / 100)
  await asAdmin('public.close_day($1)', [
    {
      date: day,
      startCents: 10_000,
      counted: { 1: counted % 10_000, 10_000: Math.floor(counted / 10_000) },
      seenExpectedCents: expected,
      reason: 'not_known',
      remainsCents: remains,
    },
  ])
  model.closed = day
  model.start = remains
}

async function take(model: Model, one: Step) {
  if (one.do === 'pay') await pay(model, one.cents, one.isCash)
  if (one.do === 'giveBack') await giveBack(model, one)
  if (one.do === 'move') {
    await asAdmin(`public.record_cash_movement($1, $2, 'Change')`, [
      one.isIn ? 'paid_in' : 'paid_out',
      one.cents,
    ])
    model.add(one.isIn ? one.cents : -one.cents)
  }
  if (one.do === 'wait') {
    model.today = addDays(model.today, one.days)
    await setShopClock(shop.owner, `${model.today}T20:00:00Z`)
  }
  if (one.do === 'close') await closeFirst(model, one)
}

it('the database expects the same drawer cash as a model after random payments, refunds, cash movements and day closes', async () => {
  let closes = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await shop.owner.query(
        truncateTables('public.payments', 'public.day_closes', 'public.cash_movements'),
      )
      const model = new Model()
      await setShopClock(shop.owner, `${model.today}T20:00:00Z`)
      for (const one of steps) await take(model, one)
      const { rows } = await shop.owner.query<{ day: string; cents: number }>(
        `select business_date::text as day, expected_cents - start_cents as cents from public.day_closes`,
      )
      for (const { day, cents: change } of rows) expect(change).toBe(model.cash.get(day))
      closes += rows.length
    }),
    { numRuns: 60 },
  )
  expect(closes).toBeGreaterThan(60)
})
