import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { outboxEndpoints } from '#contracts/emails/emails.ts'
import { invoiceEndpoints } from '#contracts/invoices/invoices.ts'
import { onboardingEndpoints } from '#contracts/onboarding.ts'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import { buildApp } from '#server/app.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { openDatabase } from '@local/postgres'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addBay,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { sampleInvoices, sampleQuotes, sampleTasks } from './sample-work.ts'
import { sampleBookings } from './sample-bookings.ts'

let shop: TestApp
let mail: TestMailServer
let cookie: string
beforeAll(async () => {
  mail = await startMailServer()
  shop = await createTestApp({
    config: { rateLimits: 'off' },
    mailTransport: createSmtpTransport(mail.url),
  })
  // Sets the clock to Friday, November 20, 10 AM.
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logIn()
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows
const post = (path: string, payload: object = {}) =>
  shop.inject({ method: 'POST', url: path, headers: { cookie }, payload })
const fill = () => post(sampleWeekEndpoints.fill.path)
const remove = async () => {
  const response = await post(sampleWeekEndpoints.remove.path)
  expect(response.statusCode).toBe(200)
  return response
}
const readOnboarding = async () => {
  const { path, response } = onboardingEndpoints.read
  return response.parse((await shop.inject({ url: path, headers: { cookie } })).json())
}
const counted = async () => {
  const [row] = await runQuery<Record<string, number>>(
    `select (select count(*)::int from bookings) as bookings, (select count(*)::int from quote_requests) as quotes,
       (select count(*)::int from tasks) as tasks, (select count(*)::int from emails) as emails,
       (select count(*)::int from stripe_sandbox.objects where object = 'invoice') as invoices`,
  )
  return row
}
/** Waits until the payment sandbox has delivered all webhook events, so that no event arrives later in the test. */
const untilAllNotified = async () =>
  await expect
    .poll(
      () => runQuery('select 1 from stripe_sandbox.event_deliveries where delivered_at is null'),
      {
        timeout: 20_000,
      },
    )
    .toEqual([])

/**
 * Reads every row of every table, except history tables, whose rows are never deleted, and internal tables that store
 * no business records.
 */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await runQuery<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and nspname in ('public', 'internal', 'stripe_sandbox')
       and format('%I.%I', nspname, relname) <> all (array['public.booking_events', 'public.settings_history', 'public.erasures',
         'internal.rate_limits', 'internal.admin_sessions', 'internal.invoice_backfill'])`,
  )
  const content: Record<string, unknown> = {}
  for (const { name } of tables) {
    content[name] = (
      await runQuery<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    ).map(({ row }) => row)
  }
  return content
}

beforeEach(async () => {
  await untilAllNotified()
  await remove()
})

// The timeout is long, because each sample week renders four PDFs, which takes longer while other tests run.
const patience = { timeout: 60_000 }

describe('a sample week', patience, () => {
  it('consists of past and upcoming appointments, quote requests, tasks with history, invoices and emails', async () => {
    expect((await fill()).statusCode).toBe(200)
    expect(await counted()).toMatchObject({
      bookings: sampleBookings.length,
      quotes: sampleQuotes.length,
      tasks: sampleTasks.length,
      invoices: sampleInvoices.length + 1,
    })
    const states = await runQuery<{ state: string; is_over: boolean }>(
      `select distinct case when completed_at is null then status else 'completed' end as state,
         upper(occupied) <= internal.shop_now() as is_over
       from bookings order by 1, 2`,
    )
    expect(states).toEqual([
      { state: 'arrived', is_over: false },
      { state: 'cancelled', is_over: false },
      { state: 'cancelled', is_over: true },
      { state: 'completed', is_over: true },
      { state: 'confirmed', is_over: false },
      { state: 'in_work', is_over: false },
      { state: 'in_work', is_over: true },
      { state: 'no_show', is_over: true },
    ])
    expect(
      await runQuery('select status, count(*)::int from quote_requests group by 1 order by 1'),
    ).toEqual([
      { status: 'completed', count: 1 },
      { status: 'pending', count: 2 },
    ])
    const [log] = await runQuery<{ changes: number; notes: number; ready: number }>(
      `select (select count(*)::int from task_status_history) as changes, (select count(*)::int from task_notes) as notes,
         (select count(*)::int from tasks where ready_for_pickup_at is not null) as ready`,
    )
    expect(log).toEqual({ changes: 6, notes: 4, ready: 1 })
    const listed = await shop.inject({
      url: `${invoiceEndpoints.list.path}?limit=25&days=7`,
      headers: { cookie },
    })
    const { invoices } = invoiceEndpoints.list.response.parse(listed.json())
    expect(invoices.map(({ status }) => status)).toEqual(['open', 'open', 'open', 'paid', 'paid'])
    expect(await runQuery('select kind from payments')).toHaveLength(2)
  })

  it('has no task in progress for a vehicle that has not arrived or was already picked up', async () => {
    await fill()
    expect(
      await runQuery(
        `select task.title, task.status,
           case when booking.completed_at is null then booking.status else 'completed' end as state
         from tasks task join bookings booking on booking.id = task.booking_id
         where task.status in ('in_progress', 'waiting_on_parts', 'waiting_on_customer') order by task.title`,
      ),
    ).toEqual([
      { title: 'Find the misfire, 328i', status: 'waiting_on_customer', state: 'in_work' },
      { title: 'Front brakes, XC60', status: 'waiting_on_parts', state: 'in_work' },
    ])
  })

  it('fits into the opening hours and the bays of the shop', async () => {
    const bay = await addBay(shop.database, 'Bay 2')
    await fill()
    expect(await runQuery('select name, is_sample from bays order by position')).toEqual([
      { name: 'Bay 1', is_sample: false },
      { name: 'Bay 2', is_sample: false },
      { name: 'Sample bay 3', is_sample: true },
    ])
    expect(await runQuery('select count(distinct bay_id)::int as bays from bookings')).toEqual([
      { bays: 3 },
    ])
    expect(
      await runQuery(
        `select id from bookings where not occupied <@ internal.open_spans(appointment_date, bay_id) or bay_id is null`,
      ),
    ).toEqual([])
    await remove()
    await runQuery('delete from bays where id = $1', [bay])
  })

  it('has eight to twelve vehicles in three bays on each of the next six open days', async () => {
    await runQuery(
      `insert into special_hours (starts_at, ends_at, reason) values ('2026-11-23', '2026-11-24', 'Inventory')`,
    )
    await fill()
    const days = await runQuery<{ day: string; vehicles: number; bays: number }>(
      `select to_char(appointment_date, 'MM-DD') as day, count(*)::int as vehicles, count(distinct bay_id)::int as bays
       from bookings where appointment_date > '2026-11-20' and status <> 'cancelled' group by 1 order by 1`,
    )
    expect(days.map(({ day }) => day)).toEqual([
      '11-21',
      '11-22',
      '11-24',
      '11-25',
      '11-26',
      '11-27',
    ])
    expect(days.filter(({ vehicles }) => vehicles < 8 || vehicles > 12)).toEqual([])
    expect(days.filter(({ bays }) => bays !== 3)).toEqual([])
    await runQuery('delete from special_hours')
  })

  it('contains an estimate in each state', async () => {
    await fill()
    const states = await runQuery<{ state: string }>(
      'select distinct internal.estimate_state(estimate) as state from estimates estimate order by 1',
    )
    expect(states.map(({ state }) => state)).toEqual([
      'approved',
      'declined',
      'draft',
      'expired',
      'invoiced',
      'seen',
      'sent',
    ])
  })

  it('omits appointments outside the opening hours, so that a closed shop gets no appointments', async () => {
    await runQuery(
      `insert into special_hours (starts_at, ends_at, reason) values ('2026-10-01', '2027-01-01', 'Moving')`,
    )
    expect((await fill()).statusCode).toBe(200)
    expect(await counted()).toMatchObject({ bookings: 0, tasks: sampleTasks.length })
    await runQuery('delete from special_hours')
  })

  it('sends no email, even if a mail server is configured and staff resend a sample email', async () => {
    await fill()
    await untilAllNotified()
    const emails = await runQuery<{ id: string; kind: string; status: string }>(
      'select id, kind, status from emails',
    )
    expect(emails.every(({ status }) => status === 'in_outbox')).toBe(true)
    expect(new Set(emails.map(({ kind }) => kind))).toEqual(
      new Set([
        'booking_confirmation',
        'quote_confirmation',
        'quote_reply',
        'invoice',
        'payment_receipt',
      ]),
    )
    for (const { id } of emails) {
      await runQuery(`update emails set sent_at = sent_at - interval '1 hour' where id = $1`, [id])
      const again = await post(outboxEndpoints.resend.path.replace(':id', id))
      expect(outboxEndpoints.resend.response.parse(again.json()).email.status).toBe('in_outbox')
    }
    expect(mail.received).toEqual([])
  })

  it('is created once when two clicks reach two server processes', async () => {
    const second = openDatabase(shop.database.url)
    const now = Date.now
    const other = await buildApp({ config: shop.config, database: second, keys: testKeys, now })
    const fillThere = () =>
      other.inject({ method: 'POST', url: sampleWeekEndpoints.fill.path, headers: { cookie } })
    const responses = await Promise.all([fill(), fillThere(), fill(), fillThere()])
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    await untilAllNotified()
    await other.close()
    await second.close()
    expect(await counted()).toMatchObject({
      bookings: sampleBookings.length,
      invoices: sampleInvoices.length + 1,
    })
  })

  it('is completed by the next click if the first attempt failed midway', async () => {
    await shop.database.owner.query(
      `create function internal.break() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger break before insert on tasks for each row execute function internal.break()`,
    )
    expect((await fill()).statusCode).toBe(500)
    expect(await counted()).toMatchObject({ bookings: 0, invoices: sampleInvoices.length })
    expect(await readOnboarding()).toMatchObject({ hasSampleWeek: true })
    await shop.database.owner.query('drop function internal.break() cascade')
    expect((await fill()).statusCode).toBe(200)
    expect(await counted()).toMatchObject({
      bookings: sampleBookings.length,
      invoices: sampleInvoices.length + 1,
    })
  })
})

describe('removing the sample week', patience, () => {
  it('restores the content that every table had before the sample week', async () => {
    const before = await everything()
    await fill()
    await untilAllNotified()
    await remove()
    expect(await everything()).toEqual(before)
  })

  it("moves real appointments from sample bays to the shop's own bay, or removes their bay if they do not fit", async () => {
    await fill()
    await shop.database.owner.query(
      `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name,
         customer_phone, customer_email)
       select service.id, '2026-12-10', '12:00', 60, bay.id, bay.name, '(650) 555-0190', 'real@customer.example'
       from (select id from services order by name limit 1) service, bays bay where bay.is_sample`,
    )
    const history = await runQuery('select count(*) from settings_history')
    const before = await runQuery('select version from settings_versions')
    await remove()
    expect(await runQuery('select name from bays')).toEqual([{ name: 'Bay 1' }])
    expect(
      await runQuery(
        `select booking.customer_name, bay.name from bookings booking left join bays bay on bay.id = booking.bay_id order by 1`,
      ),
    ).toEqual([
      { customer_name: 'Sample bay 2', name: 'Bay 1' },
      { customer_name: 'Sample bay 3', name: null },
    ])
    expect(await runQuery('select count(*) from settings_history')).toEqual(history)
    expect(await runQuery('select version from settings_versions')).toEqual(before)
    await runQuery(`update bookings set completed_at = now(), completed_by = 'admin'`)
    await runQuery('delete from bookings')
  })

  it('also deletes what staff added to sample records, but none of the shop’s own records', async () => {
    await fill()
    const [sample] = await runQuery<{ id: string }>(
      `select id from bookings where status = 'confirmed' limit 1`,
    )
    await shop.database.database.transaction(admin, async (query) => {
      await query.unchecked(`insert into tasks (title, booking_id) values ('Of a sample', $1)`, [
        sample?.id,
      ])
      await query.unchecked(`insert into tasks (title) values ('My own')`)
      await query.unchecked(
        `select add_task_note((select id from tasks where is_sample limit 1), 'Mine')`,
      )
    })
    const [service] = await runQuery<{ id: string }>(
      'select id from services order by name limit 1',
    )
    await shop.database.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(service?.id ?? '', { appointment_time: '08:30:00' })),
    )
    const made = await post(invoiceEndpoints.create.path, {
      customer: { name: 'Nora Lindholm', email: 'nora.lindholm@sample.example' },
      lineItems: [{ description: 'Real work', amount: 80, quantity: 1 }],
      dueInDays: 7,
      sendEmail: true,
    })
    expect(made.statusCode).toBe(200)
    await untilAllNotified()
    await remove()
    expect(await runQuery('select title from tasks')).toEqual([{ title: 'My own' }])
    expect(await runQuery('select customer_name from bookings')).toEqual([
      { customer_name: 'Dana Whitfield' },
    ])
    expect(await counted()).toMatchObject({ invoices: 1, quotes: 0 })
    expect(
      await runQuery(
        `select data ->> 'email' as email from stripe_sandbox.objects where object = 'customer'`,
      ),
    ).toEqual([{ email: 'nora.lindholm@sample.example' }])
    await expect
      .poll(() => runQuery('select kind, status from emails'))
      .toEqual([{ kind: 'invoice', status: 'sent' }])
  })

  it('succeeds when the shop has no sample week', async () => {
    expect((await remove()).statusCode).toBe(200)
    expect((await remove()).json()).toEqual({ ok: true })
  })
})

describe('a shop with records of its own', () => {
  it('refuses to add a sample week, and the response explains why', async () => {
    expect(await readOnboarding()).toMatchObject({ canFillSampleWeek: false })
    const response = await fill()
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ code: 'SHOP_IN_USE' })
    expect(await counted()).toMatchObject({ bookings: 1 })
    expect(await readOnboarding()).toMatchObject({ hasSampleWeek: false })
  })
})

describe('a shop with live payments', () => {
  it('refuses to add a sample week', async () => {
    const live = await createTestApp({
      config: { payments: { mode: 'stripe', secretKey: 'sk_test_x', webhookSecret: 'whsec_x' } },
    })
    const headers = { cookie: await live.logIn() }
    const response = await live.inject({
      method: 'POST',
      url: sampleWeekEndpoints.fill.path,
      headers,
    })
    expect(response.json()).toMatchObject({ code: 'PAYMENTS_LIVE' })
    const removed = await live.inject({
      method: 'POST',
      url: sampleWeekEndpoints.remove.path,
      headers,
    })
    expect(removed.statusCode).toBe(200)
    await live.close()
  })
})
