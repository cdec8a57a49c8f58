import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayClose } from '#contracts/payments/day-close.ts'
import { todayPage } from '#contracts/today.ts'
import { admin, refusalTo } from '#tests/support/database/database-fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(
    truncateTables('public.payments', 'public.day_closes', 'public.cash_movements'),
  )
  await at('2026-11-27 19:00')
})

/** Sets the clock of the database to a time in the shop's time zone. */
async function at(wallClock: string): Promise<void> {
  const { rows } = await shop.owner.query<{ instant: string }>(
    `select to_json($1::timestamp at time zone 'America/Los_Angeles') #>> '{}' as instant`,
    [wallClock],
  )
  await setShopClock(shop.owner, rows[0]?.instant)
}

type Line = { cents: number; at?: string; method?: string; kind?: string; original?: string }

/** Adds a ledger entry, by default a cash payment at the current time; returns its id and its business date. */
async function pay({ cents, at: wallClock, method = 'cash', kind = 'payment', original }: Line) {
  const { rows } = await shop.owner.query<{ id: string; day: string }>(
    `insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, reference, payment_intent_id, paid_at)
     values ('in_one', $1, $2, $3, $4, 'usd', case when $2 in ('check', 'other') and $1 = 'payment' then '1042' end,
       case when $2 = 'card_online' and $1 = 'payment' then gen_random_uuid()::text end,
       coalesce($5::timestamp at time zone 'America/Los_Angeles', internal.current_instant()))
     returning id, business_date::text as day`,
    [kind, method, original, cents, wallClock],
  )
  const [line] = rows
  if (!line) throw new Error('The line was not added.')
  return line
}

const asAdmin = async (sql: string, values: unknown[] = []): Promise<unknown> => {
  const rows = await shop.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return rows[0]?.result
}
const read = async (day: string) =>
  dayClose.parse(await asAdmin('public.read_day_close($1)', [day]))
const move = (kind: string, cents: number) =>
  asAdmin(`public.record_cash_movement($1, $2, 'Change from the bank')`, [kind, cents])

/** Closes a day with a cash count that equals the expected cash; by default all cash remains in the drawer. */
const matching = (date: string, expectedCents: number, change: object = {}) => ({
  date,
  startCents: null,
  counted: { 1: expectedCents % 100, 100: Math.floor(expectedCents / 100) },
  seenExpectedCents: expectedCents,
  terminalCents: null,
  checkCents: null,
  reason: null,
  note: null,
  remainsCents: expectedCents,
  ...change,
})
const close = (date: string, expectedCents: number, change: object = {}) =>
  asAdmin('public.close_day($1)', [matching(date, expectedCents, change)])
const refusalOf = (date: string, expectedCents: number, change: object = {}) =>
  refusalTo(shop.database, admin, (query) =>
    query.unchecked('select public.close_day($1)', [matching(date, expectedCents, change)]),
  )

describe('the expected cash of a day close', () => {
  it('is the opening cash plus cash payments and cash paid in, minus cash refunds and cash paid out', async () => {
    const line = await pay({ cents: 33_995 })
    await pay({ cents: -2000, kind: 'refund', original: line.id })
    await pay({ cents: -1000, kind: 'reversal', original: line.id })
    await pay({ cents: 2, kind: 'cash_rounding', original: line.id })
    await pay({ cents: 68_182, method: 'card_terminal' })
    await move('paid_in', 5000)
    await move('paid_out', 1250)
    const { cash, methods, startCents } = await read('2026-11-27')
    expect(startCents).toBeNull()
    expect(cash).toEqual({
      inCents: 33_995,
      refundedCents: 3000,
      paidInCents: 5000,
      paidOutCents: 1250,
      changeCents: 34_745,
    })
    expect(methods.card_terminal).toEqual({ cents: 68_182, payments: 1, refunds: 0 })
    await close('2026-11-27', 54_745, { startCents: 20_000 })
    expect((await read('2026-11-27')).close).toMatchObject({
      startCents: 20_000,
      expectedCents: 54_745,
      countedCents: 54_745,
    })
  })

  it('begins with the cash that the previous close left in the drawer, whatever opening cash the request states', async () => {
    await pay({ cents: 1000 })
    await close('2026-11-27', 1500, { startCents: 500, remainsCents: 700 })
    await at('2026-11-28 18:00')
    await pay({ cents: 100 })
    expect((await read('2026-11-28')).startCents).toBe(700)
    await close('2026-11-28', 800, { startCents: 99_999 })
  })
})

describe('a day close', () => {
  it('is refused without the opening cash if it is the first day close', async () => {
    await pay({ cents: 1000 })
    expect(await refusalOf('2026-11-27', 1000)).toMatchObject({
      code: 'TT110',
      hint: 'start_required',
    })
  })

  it('is refused when a payment was recorded after the page loaded', async () => {
    await pay({ cents: 1000 })
    await pay({ cents: 6000 })
    expect(await refusalOf('2026-11-27', 1000, { startCents: 0 })).toMatchObject({
      hint: 'expected_changed',
    })
  })

  it('requires a reason when the counted and expected amounts of cash, card terminal or checks differ', async () => {
    await pay({ cents: 1000 })
    await pay({ cents: 3000, method: 'card_terminal' })
    await pay({ cents: 4000, method: 'check' })
    const first = { startCents: 0 }
    const constraint = expect.stringContaining('day_closes_difference_has_reason')
    for (const change of [
      { counted: { 100: 9 }, remainsCents: 900 },
      { terminalCents: 2999 },
      { checkCents: 0 },
    ]) {
      const refusal = await refusalOf('2026-11-27', 1000, { ...first, ...change })
      expect(refusal.message).toEqual(constraint)
    }
    const other = await refusalOf('2026-11-27', 1000, { ...first, reason: 'other' })
    expect(other.message).toContain('day_closes_other_reason_has_note')
    const change = {
      counted: { 100: 9 },
      remainsCents: 0,
      reason: 'wrong_change',
      terminalCents: 3000,
    }
    await close('2026-11-27', 1000, { ...first, ...change })
    expect((await read('2026-11-27')).close).toMatchObject({
      reason: 'wrong_change',
      countedCents: 900,
    })
  })

  it('cannot leave more cash in the drawer than was counted, and accepts only existing bills and coins', async () => {
    await pay({ cents: 1000 })
    const first = { startCents: 0 }
    const refusals = [
      { ...first, remainsCents: 1001 },
      { ...first, remainsCents: -1 },
      { ...first, counted: { 300: 1 }, reason: 'not_known' },
      { ...first, counted: { 100: -10 }, reason: 'not_known' },
      { ...first, counted: { 100: 1.5 }, reason: 'not_known' },
      { ...first, counted: { 100: 1_000_000 }, reason: 'not_known' },
    ]
    for (const change of refusals) {
      expect(await refusalOf('2026-11-27', 1000, change)).toMatchObject({
        code: expect.stringMatching(/^2[23]/),
      })
    }
    expect((await read('2026-11-27')).close).toBeNull()
  })

  it('is final: it cannot be repeated, changed or deleted; staff can only add a correction', async () => {
    await pay({ cents: 1000 })
    const id = await close('2026-11-27', 1000, { startCents: 0 })
    expect(await refusalOf('2026-11-27', 1000)).toMatchObject({ hint: 'already_closed' })
    await expect(shop.owner.query('update public.day_closes set note = null')).rejects.toThrow(
      'History lines can be added, but not changed or deleted.',
    )
    await expect(shop.owner.query('delete from public.day_closes')).rejects.toThrow('History')
    await asAdmin(`public.correct_close($1, 200, 'Two singles under the tray')`, [id])
    const { close: closed } = await read('2026-11-27')
    expect(closed?.corrections).toMatchObject([
      { amountCents: 200, reason: 'Two singles under the tray', recordedByName: 'ana' },
    ])
  })

  it('refuses a card number in its note, in a correction and in the note of a cash movement', async () => {
    await pay({ cents: 1000 })
    const note = 'Card 4242 4242 4242 4242'
    const first = { startCents: 0 }
    expect((await refusalOf('2026-11-27', 1000, { ...first, note })).message).toContain(
      'card_number',
    )
    const id = await close('2026-11-27', 1000, first)
    for (const [sql, value] of [
      ['public.correct_close($2, 200, $1)', id],
      [`public.record_cash_movement('paid_in', 200, $1 || left($2, 0))`, 'text'],
    ] as const) {
      const refusal = await refusalTo(shop.database, admin, (query) =>
        query.unchecked(`select ${sql}`, [note, value]),
      )
      expect(refusal.message).toContain('card_number')
    }
  })
})

describe('the order of day closes', () => {
  it('does not allow closing a day while an earlier day with a ledger entry is open', async () => {
    await pay({ cents: 1000, at: '2026-11-25 12:00' })
    await pay({ cents: 500 })
    expect((await read('2026-11-27')).unclosedDays).toEqual([
      { day: '2026-11-25', payments: 1, cashCents: 1000 },
    ])
    expect(await refusalOf('2026-11-27', 500, { startCents: 0 })).toMatchObject({
      hint: 'earlier_day_open',
    })
    await close('2026-11-25', 1000, { startCents: 0 })
    await close('2026-11-27', 1500)
  })

  it('does not allow closing a day without a ledger entry, or a future day', async () => {
    expect(await refusalOf('2026-11-27', 0, { startCents: 0 })).toMatchObject({
      hint: 'nothing_to_close',
    })
    expect(await refusalOf('2026-11-28', 0, { startCents: 0 })).toMatchObject({
      hint: 'day_in_future',
    })
  })

  it('requires closing a day that has only a cash movement, like a day with a payment', async () => {
    await at('2026-11-26 12:00')
    await move('paid_out', 400)
    await at('2026-11-27 19:00')
    await pay({ cents: 500 })
    expect((await read('2026-11-27')).unclosedDays).toEqual([
      { day: '2026-11-26', payments: 0, cashCents: -400 },
    ])
  })

  it('does not require closing the days before the first payment at the counter', async () => {
    await pay({ cents: 1000, method: 'card_online', at: '2026-11-20 12:00' })
    await pay({ cents: 1000, method: 'card_online', at: '2026-11-25 12:00' })
    expect((await read('2026-11-27')).unclosedDays).toEqual([])
    await pay({ cents: 1000, at: '2026-11-24 12:00' })
    expect((await read('2026-11-27')).unclosedDays.map(({ day }) => day)).toEqual([
      '2026-11-24',
      '2026-11-25',
    ])
  })
})

describe('the business date of a payment', () => {
  it('is the date in the shop time zone, before and after midnight, if no day was closed', async () => {
    expect((await pay({ cents: 1, at: '2026-11-27 23:59:30' })).day).toBe('2026-11-27')
    expect((await pay({ cents: 1, at: '2026-11-28 00:01' })).day).toBe('2026-11-28')
  })

  it.each([
    ['spring', '2027-03-14', '2027-03-15'],
    ['autumn', '2026-11-01', '2026-11-02'],
  ])(
    'is the shop date from midnight to midnight when the clock changes in %s',
    async (_, sunday, monday) => {
      await at(`${monday} 12:00`)
      expect((await pay({ cents: 1, at: `${sunday} 00:01` })).day).toBe(sunday)
      expect((await pay({ cents: 1, at: `${sunday} 23:59` })).day).toBe(sunday)
      expect((await pay({ cents: 1, at: `${monday} 00:01` })).day).toBe(monday)
    },
  )

  it('is the next day for cash that is taken after the close, and the page Today shows the total of such payments', async () => {
    await pay({ cents: 1000 })
    await close('2026-11-27', 1000, { startCents: 0 })
    expect((await pay({ cents: 6000 })).day).toBe('2026-11-28')
    await move('paid_out', 100)
    const today = todayPage.parse(await asAdmin('public.read_today()'))
    expect(today.payments.receivedCents).toBe(1000)
    expect(today.drawer_expects_cents).toBeNull()
    expect(today.payments_after_close).toEqual({ day: '2026-11-28', receivedCents: 6000 })
    expect((await read('2026-11-28')).cash.changeCents).toBe(5900)
  })

  it('is the date of an online payment that a webhook reports after midnight, or the next open day if that date is closed', async () => {
    await pay({ cents: 1000 })
    const online = { cents: 500, method: 'card_online', at: '2026-11-27 23:58' }
    await at('2026-11-28 00:05')
    expect((await pay(online)).day).toBe('2026-11-27')
    await close('2026-11-27', 1000, { startCents: 0 })
    expect((await pay(online)).day).toBe('2026-11-28')
  })

  it('is the next open day for a payment dated before the last closed day, even if nobody closed the earlier date', async () => {
    await pay({ cents: 1000 })
    await close('2026-11-27', 1000, { startCents: 0 })
    expect((await pay({ cents: 500, at: '2026-11-23 12:00' })).day).toBe('2026-11-28')
  })
})

describe('the page Today', () => {
  it('shows the expected cash in the drawer, except before the first close and while a setting requires counting the cash first', async () => {
    const expects = async () =>
      todayPage.parse(await asAdmin('public.read_today()')).drawer_expects_cents
    await pay({ cents: 1000, at: '2026-11-26 12:00' })
    await pay({ cents: 500 })
    expect(await expects()).toBeNull()
    await close('2026-11-26', 1000, { startCents: 0, remainsCents: 300 })
    expect(await expects()).toBe(800)
    await shop.owner.query('update public.booking_rules set counts_cash_before_expected = true')
    expect(await expects()).toBeNull()
    await shop.owner.query('update public.booking_rules set counts_cash_before_expected = false')
  })

  it('shows an unclosed day under Needs attention until the day is closed', async () => {
    const needsAttention = async () =>
      (await asAdmin('(select needs_attention from public.count_open_work())')) === true
    await pay({ cents: 1000, at: '2026-11-25 12:00' })
    expect(todayPage.parse(await asAdmin('public.read_today()'))).toMatchObject({
      unclosed_days: [{ day: '2026-11-25', payments: 1, cashCents: 1000 }],
      payments_after_close: null,
    })
    expect(await needsAttention()).toBe(true)
    await close('2026-11-25', 1000, { startCents: 0 })
    expect(await needsAttention()).toBe(false)
  })
})
