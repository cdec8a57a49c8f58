import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shopDay } from '#contracts/bookings/day.ts'
import { todayPage, type TodayPage } from '#contracts/today.ts'
import { type VehicleState, vehicleStates } from '#domain/bookings/vehicle-state.ts'
import { isAtShop } from '#domain/bookings/vehicle-state-table.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  // The current time of these tests: Friday, November 20, 2026, 10 AM, shop time.
  await setShopClock(shop.owner, fixtureClock)
  await shop.owner.query(
    truncateTables(
      'public.bookings',
      'public.tasks',
      'public.quote_requests',
      'public.emails',
      'public.payments',
    ),
  )
  await shop.owner.query('delete from public.special_hours')
})

const owner = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const read = async (): Promise<TodayPage> => {
  const [row] = await asAdmin<{ read: unknown }>('select public.read_today() as read')
  return todayPage.parse(row?.read)
}
const needsAttention = async () => (await countOpenWork())?.['needs_attention']
const countOpenWork = async () => {
  const [row] = await asAdmin<Record<string, unknown>>('select * from public.count_open_work()')
  return row
}

const book = async (change: Record<string, unknown> = {}) => {
  const row = {
    service_id: serviceId,
    appointment_date: '2026-11-20',
    appointment_time: '13:30',
    duration_minutes: 90,
    customer_name: 'Sam Okafor',
    customer_phone: '(650) 555-0155',
    customer_email: 'sam@customer.example',
    ...change,
  }
  return insert('bookings', row)
}
const insert = async (table: string, row: object) => {
  const columns = Object.keys(row)
  const [added] = await owner<{ id: string }>(
    `insert into public.${table} (${columns.join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return added?.id ?? ''
}
const addQuote = (change: Record<string, unknown> = {}) =>
  insert('quote_requests', {
    name: 'Nina Petrov',
    email: 'nina@customer.example',
    vehicle_year: '2020',
    vehicle_make: 'Mazda',
    vehicle_model: 'CX-5',
    description: 'A/C blows warm',
    created_at: '2026-11-19T23:00:00Z',
    ...change,
  })
let emailCount = 0
const write = (change: Record<string, unknown> = {}) =>
  insert('emails', {
    kind: 'invoice',
    dedupe_key: `story ${(emailCount += 1)}`,
    recipient_email: 'sam@customer.example',
    recipient_name: 'Omar Haddad',
    subject: 'About your car',
    html_body: '',
    text_body: '',
    status: 'failed',
    created_at: '2026-11-20T17:00:00Z',
    ...change,
  })
const pay = (paidAt: string, change: Record<string, unknown> = {}) =>
  insert('payments', {
    invoice_id: 'in_story',
    payment_intent_id: `pi_${(emailCount += 1)}`,
    amount_cents: 10_000,
    currency: 'usd',
    kind: 'payment',
    method: 'card_online',
    paid_at: paidAt,
    ...change,
  })

describe('the data of the page Today', () => {
  it('has empty lists in a new shop', async () => {
    expect(await read()).toMatchObject({
      day: '2026-11-20',
      now: '2026-11-20T10:00:00',
      bookings: [],
      also_here: [],
      quotes: [],
      undelivered_emails: [],
      schedule_conflicts: [],
      held: [],
      tasks: [],
      payments: { receivedCents: 0, payments: 0, refunds: 0, methods: [] },
      expected_payments: { invoices: 0, cents: 0 },
      invoices: [],
      ledger_differences: [],
    })
    expect(await needsAttention()).toBe(false)
  })

  it('lists the same vehicles as the day view', async () => {
    await book()
    await book({ appointment_time: '16:00', status: 'no_show' })
    const [row] = await asAdmin<{ day: unknown }>(`select public.read_day('2026-11-20') as day`)
    expect((await read()).bookings).toEqual(shopDay.parse(row?.day).bookings)
  })
})

describe('a vehicle at the shop whose appointment is on another day', () => {
  const alsoHere = async () => (await read()).also_here.map(({ id }) => id)

  it('is listed if it came before that day or has stayed since then, even if staff did not record its arrival', async () => {
    const stayed = await book({ appointment_date: '2026-11-18', status: 'in_work' })
    const arrived = await book({ appointment_date: '2026-11-24', status: 'arrived' })
    const begun = await book({ appointment_date: '2026-11-25' })
    await insert('tasks', { title: 'Brake job', booking_id: begun, status: 'in_progress' })
    const ready = await book({ appointment_date: '2026-11-26' })
    await insert('tasks', {
      title: 'Brake job',
      booking_id: ready,
      status: 'completed',
      completed_at: '2026-11-20T17:00:00Z',
      ready_for_pickup_at: '2026-11-20T18:00:00Z',
    })
    expect(await alsoHere()).toEqual([stayed, arrived, begun, ready])
    expect(await needsAttention()).toBe(true)
  })

  it('is not listed if it has not arrived, was picked up, or had its appointment long ago', async () => {
    await book({ status: 'in_work' })
    await book({ appointment_date: '2026-11-24' })
    await book({
      appointment_date: '2026-11-25',
      completed_at: '2026-11-20T17:00:00Z',
      completed_by: 'ana',
    })
    await book({ appointment_date: '2026-11-05', status: 'arrived' })
    expect(await alsoHere()).toEqual([])
    expect(await needsAttention()).toBe(false)
  })

  it('is listed in exactly the states in which isAtShop returns true', async () => {
    const states = await owner<{ state: VehicleState; is_there: boolean }>(
      'select state, internal.is_at_shop(state) as is_there from unnest($1::text[]) state',
      [vehicleStates],
    )
    expect(states.filter(({ is_there }) => is_there).map(({ state }) => state)).toEqual(
      vehicleStates.filter(isAtShop),
    )
  })
})

describe('a quote request on Today', () => {
  it('needs attention after 12 hours without a reply, oldest first', async () => {
    const later = await addQuote({ created_at: '2026-11-20T06:00:00Z' })
    const older = await addQuote({ created_at: '2026-11-19T06:00:00Z' })
    await addQuote({ created_at: '2026-11-20T06:00:01Z' })
    expect((await read()).quotes.map(({ id }) => id)).toEqual([older, later])
    expect(await needsAttention()).toBe(true)
  })

  it('needs no attention when it has a reply or looks automated', async () => {
    await addQuote({ status: 'completed' })
    await addQuote({ flagged_reasons: ['links'] })
    expect((await read()).quotes).toEqual([])
    expect(await needsAttention()).toBe(false)
  })
})

describe('a failed email on Today', () => {
  it('is listed with the customer’s phone number and with the appointment or quote request of the email', async () => {
    const booking = await book()
    const quote = await addQuote({ phone: '(650) 555-0128', created_at: '2026-11-20T17:00:00Z' })
    await write({
      kind: 'booking_confirmation',
      booking_id: booking,
      appointment_at: '2026-11-20 13:30',
    })
    await write({
      kind: 'quote_reply',
      quote_request_id: quote,
      created_at: '2026-11-20T17:10:00Z',
    })
    expect((await read()).undelivered_emails).toMatchObject([
      { booking_id: booking, appointment_date: '2026-11-20', phone: '(650) 555-0155' },
      { quote_request_id: quote, appointment_date: null, phone: '(650) 555-0128' },
    ])
    expect(await needsAttention()).toBe(true)
  })

  it('is no longer listed when its appointment was moved or is over, or when the email was sent again', async () => {
    const booking = await book()
    const about = {
      kind: 'booking_confirmation',
      booking_id: booking,
      appointment_at: '2026-11-20 13:30',
    }
    await write({ ...about, appointment_at: '2026-11-20 11:00' })
    expect((await read()).undelivered_emails).toEqual([])
    await write(about)
    expect((await read()).undelivered_emails).toHaveLength(1)
    await write({ ...about, status: 'queued', created_at: '2026-11-20T17:30:00Z' })
    expect((await read()).undelivered_emails).toEqual([])
    await owner(`delete from public.emails where status = 'queued'`)
    await setShopClock(shop.owner, '2026-11-20T23:00:01Z')
    expect((await read()).undelivered_emails).toEqual([])
    expect(await needsAttention()).toBe(false)
  })

  it('about a cancellation is listed before the start time of the cancelled appointment, which the customer still expects', async () => {
    const booking = await book({ status: 'cancelled' })
    await write({
      kind: 'booking_cancelled',
      booking_id: booking,
      appointment_at: '2026-11-20 13:30',
    })
    expect((await read()).undelivered_emails).toHaveLength(1)
  })

  it('to an email address that the appointment no longer contains is not listed', async () => {
    const booking = await book()
    await write({
      kind: 'booking_confirmation',
      booking_id: booking,
      appointment_at: '2026-11-20 13:30',
      recipient_email: 'former@customer.example',
    })
    expect((await read()).undelivered_emails).toEqual([])
  })

  it('to the owner is not listed, and neither is a failed email that is weeks old', async () => {
    await write({ kind: 'owner_notice' })
    await write({ created_at: '2026-11-06T17:00:00Z' })
    const quote = await addQuote({ status: 'completed' })
    await write({ kind: 'quote_confirmation', quote_request_id: quote })
    expect((await read()).undelivered_emails).toEqual([])
    expect(await needsAttention()).toBe(false)
  })
})

describe('an appointment on Today', () => {
  it('without a bay needs attention', async () => {
    const id = await book({ bay_id: null, appointment_time: '16:00' })
    expect((await read()).schedule_conflicts).toMatchObject([{ booking_id: id, problem: 'no_bay' }])
    expect(await needsAttention()).toBe(true)
  })

  it('whose customer has arrived needs attention until work begins', async () => {
    const id = await book({ status: 'arrived', appointment_time: '09:30' })
    expect(await needsAttention()).toBe(true)
    await owner(`update public.bookings set status = 'in_work' where id = $1`, [id])
    expect(await needsAttention()).toBe(false)
  })

  it('that is held for confirmation is listed as waiting for the customer, not for the shop', async () => {
    const id = await book({
      held_until: '2026-11-20T18:20:00Z',
      flagged_reasons: ['rush'],
    })
    await book({
      appointment_time: '16:00',
      held_until: '2026-11-20T17:59:00Z',
      flagged_reasons: ['rush'],
    })
    expect((await read()).held).toMatchObject([{ id, starts_at: '2026-11-20T13:30:00' }])
    expect(await needsAttention()).toBe(false)
  })
})

describe('a task on Today', () => {
  it('is shown as waiting since its status changed, or as ready for pickup since it was marked ready', async () => {
    const booking = await book()
    const waiting = await insert('tasks', {
      title: 'Brake job',
      booking_id: booking,
      status: 'waiting_on_customer',
      created_at: '2026-11-10T17:00:00Z',
    })
    await insert('task_status_history', {
      task_id: waiting,
      old_status: 'pending',
      new_status: 'waiting_on_customer',
      changed_by_name: 'ana',
      created_at: '2026-11-19T17:00:00Z',
    })
    await insert('tasks', {
      title: 'Oil',
      status: 'completed',
      completed_at: '2026-11-18T17:00:00Z',
      ready_for_pickup_at: '2026-11-18T18:00:00Z',
    })
    await insert('tasks', { title: 'Other' })
    expect((await read()).tasks).toMatchObject([
      { title: 'Oil', customer_name: null, vehicle_facts: { tasks: [{ isReady: true }] } },
      {
        id: waiting,
        customer_name: 'Sam Okafor',
        vehicle_facts: { tasks: [{ status: 'waiting_on_customer', isReady: false }] },
      },
    ])
  })
})

describe('the payments of today', () => {
  it('are the ledger entries of the shop’s calendar day minus refunds, with the total of each payment method', async () => {
    await pay('2026-11-20T07:59:59Z')
    await pay('2026-11-20T08:00:00Z')
    await pay('2026-11-20T17:00:00Z', { amount_cents: 5050 })
    await pay('2026-11-20T17:00:00Z', {
      method: 'cash',
      payment_intent_id: null,
      amount_cents: 2000,
    })
    const twice = await pay('2026-11-20T17:00:00Z')
    await pay('2026-11-20T17:00:00Z', {
      kind: 'refund',
      original_id: twice,
      payment_intent_id: null,
      amount_cents: -10_000,
      refund_id: 're_1',
    })
    expect((await read()).payments).toEqual({
      receivedCents: 17_050,
      payments: 4,
      refunds: 1,
      methods: [
        { method: 'card_online', cents: 15_050 },
        { method: 'cash', cents: 2000 },
      ],
    })
  })

  it.each([
    ['a day of 23 hours', '2027-03-14', '2027-03-14T08:00:00Z', '2027-03-15T06:59:59Z'],
    ['a day of 25 hours', '2026-11-01', '2026-11-01T07:00:00Z', '2026-11-02T07:59:59Z'],
  ])('include the payments of the whole day on %s', async (_day, date, first, last) => {
    await setShopClock(shop.owner, `${date}T20:00:00Z`)
    await pay(first)
    await pay(last)
    await pay(new Date(Date.parse(first) - 1000).toISOString())
    await pay(new Date(Date.parse(last) + 1000).toISOString())
    expect((await read()).payments).toMatchObject({ payments: 2, receivedCents: 20_000 })
  })
})

describe('the week on Today', () => {
  it('runs from Monday to Sunday and shows for each day the numbers of vehicles and completed vehicles, and the open minutes of the bays', async () => {
    await book({ completed_at: '2026-11-20T17:00:00Z', completed_by: 'ana' })
    await book({ appointment_time: '16:00' })
    await book({ appointment_time: '18:00', status: 'cancelled' })
    await book({ appointment_date: '2026-11-15', appointment_time: '16:00' })
    await owner(
      `insert into public.special_hours (starts_at, ends_at) values ('2026-11-22', '2026-11-23')`,
    )
    const { week } = await read()
    expect(week.map(({ day }) => day)).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ])
    expect(week.at(4)).toMatchObject({ booking_count: 2, done: 1 })
    expect(week.at(0)).toMatchObject({ booking_count: 0, done: 0 })
    expect(week.at(6)).toMatchObject({ open_minutes: 0 })
    expect(
      await asAdmin(
        `select booking_count, open_minutes from public.read_daily_loads('2026-11-16', 7)`,
      ),
    ).toEqual(
      week.map(({ booking_count: bookingCount, open_minutes }) => ({
        booking_count: bookingCount,
        open_minutes,
      })),
    )
  })
})

describe('the open work that the navigation bar of the dashboard counts', () => {
  const counted = async () => {
    const { needs_attention: _, ...counts } = (await countOpenWork()) ?? {}
    return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]))
  }

  it('is zero in a new shop', async () => {
    expect(await counted()).toEqual({ appointments: 0, tasks: 0, quotes: 0, invoices: 0 })
  })

  it('includes the appointments of today that are not over', async () => {
    await book()
    await book({ appointment_time: '15:00', status: 'arrived' })
    for (const status of ['cancelled', 'no_show', 'not_confirmed']) {
      await book({ appointment_time: '16:30', status })
    }
    await book({
      appointment_time: '17:00',
      completed_at: '2026-11-20T17:00:00Z',
      completed_by: 'admin',
    })
    await book({ appointment_date: '2026-11-21' })
    expect(await counted()).toMatchObject({ appointments: 2 })
  })

  it('includes the tasks that are neither completed nor cancelled', async () => {
    for (const status of ['pending', 'in_progress', 'on_hold', 'cancelled']) {
      await insert('tasks', { title: `Task ${status}`, status })
    }
    await insert('tasks', {
      title: 'Done',
      status: 'completed',
      completed_at: '2026-11-20T17:00:00Z',
    })
    expect(await counted()).toMatchObject({ tasks: 3 })
  })

  it('includes the pending quote requests that do not look automated', async () => {
    await addQuote()
    await addQuote({ status: 'completed' })
    await addQuote({ flagged_reasons: ['sent_too_fast'] })
    expect(await counted()).toMatchObject({ quotes: 1 })
  })

  it('includes the invoices that Stripe reports as open', async () => {
    for (const status of ['open', 'paid', 'void', 'uncollectible']) {
      await owner(
        `insert into public.invoices (invoice_id, customer_name, total_cents, currency, status, created_at)
         values ($1, 'Nina Petrov', 5000, 'usd', $2, now())`,
        [`in_${status}`, status],
      )
    }
    expect(await counted()).toMatchObject({ invoices: 1 })
  })
})

describe('the permission to read today', () => {
  it.each(['public.read_today()', 'public.count_open_work()'])(
    'belongs to the admin only: %s',
    async (call) => {
      for (const identity of [visitor, signedInStranger]) {
        const refusal = await refusalTo(shop.database, identity, (query) =>
          query.unchecked(`select ${call}`),
        )
        expect(refusal.code).toBe('42501')
      }
    },
  )
})
