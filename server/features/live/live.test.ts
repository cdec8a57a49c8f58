import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { liveEvents } from '#contracts/api/live-events.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { addService } from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let origin: string
let cookie: string
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  origin = await shop.listen()
  cookie = await shop.logIn()
  serviceId = await addService(shop.database, 'Story, 90 minutes', 90)
})
afterAll(() => shop.close())

type TestEvent = { name: string; data: unknown }

/** Opens the live event stream as a browser does. */
async function listen(as = cookie) {
  const controller = new AbortController()
  const response = await fetch(`${origin}/api/admin/live`, {
    headers: { cookie: as },
    signal: controller.signal,
  })
  return { response, events: readEvents(response), disconnect: () => controller.abort() }
}

async function* readEvents({ body }: Response): AsyncGenerator<TestEvent, void> {
  if (!body) throw new Error('The answer has no body.')
  let rest = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (name && data) yield { name, data: JSON.parse(data) }
    }
  }
}

/** Waits for the next event with this name and returns its data. */
async function next(events: AsyncGenerator<TestEvent, void>, name: string): Promise<unknown> {
  for (;;) {
    const { value } = await events.next()
    if (!value) throw new Error(`The stream ended without ${name}.`)
    if (value.name === name) return value.data
  }
}

const insertBooking = async (name = 'Dana') => {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_phone, bay_id)
     values ($1, '2030-11-28', '13:30', 90, $2, '555-0167', null) returning id`,
    [serviceId, name],
  )
  return rows[0]?.id ?? ''
}

describe('an open dashboard', () => {
  it('receives the id of each changed appointment and of its history entry', async () => {
    const { response, events, disconnect } = await listen()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    await next(events, 'refetch')
    const id = await insertBooking()
    const heard = liveEvents.bookings.parse(await next(events, 'bookings'))
    expect(heard.bookings).toEqual([id])
    const { rows } = await shop.database.owner.query(
      'select booking_id, kind from public.booking_events where id = any ($1)',
      [heard.events],
    )
    expect(rows).toEqual([{ booking_id: id, kind: 'booked' }])
    disconnect()
  })

  it('receives the id of an estimate that is sent, viewed or decided, within a second', async () => {
    const estimateClient = createEstimateClient(shop.database)
    const id = await estimateClient.write()
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const heard = async (action: () => Promise<unknown>) => {
      await action()
      return liveEvents.estimates.parse(await next(events, 'estimates')).estimates
    }
    expect(await heard(() => estimateClient.freeze(id))).toEqual([id])
    const [path, { revisionHash: revision }] = [
      await estimateClient.path(id),
      await estimateClient.sentRevision(id),
    ]
    const post = (below: string) =>
      shop.inject({
        method: 'POST',
        url: `${path}/${below}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ revision }).toString(),
      })
    expect(await heard(() => post('seen'))).toEqual([id])
    expect(await heard(() => post('decline'))).toEqual([id])
    disconnect()
  })

  it('receives the id of an invoice that is created, paid or emailed, within a second', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const heard = async (sql: string) => {
      await shop.database.owner.query(sql)
      return liveEvents.invoices.parse(await next(events, 'invoices')).invoices
    }
    const link = (status: string) =>
      heard(`select internal.link_invoice(jsonb_build_object('id', 'in_live', 'number', 'TT-LIVE', 'name', 'Dana',
        'email', 'dana@example.com', 'total_cents', 5000, 'currency', 'usd', 'status', '${status}', 'created_at', 1795000000))`)
    expect(await link('open')).toEqual(['in_live'])
    expect(await link('paid')).toEqual(['in_live'])
    expect(
      await heard(`insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at)
        values ('in_live', 'pi_live', 5000, 'usd', 'payment', 'card_online', now())`),
    ).toEqual(['in_live'])
    // The email is not due yet, so that the email job does not deliver it before the test does.
    expect(
      await heard(`insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body,
          text_body, invoice_id, next_attempt_at)
        values ('payment_receipt', 'live', 'dana@example.com', 'Dana', 'Receipt', 'Receipt', 'Receipt', 'in_live',
          now() + interval '1 day')`),
    ).toEqual(['in_live'])
    expect(
      await heard(
        `update public.emails set status = 'in_outbox', sent_at = now() where dedupe_key = 'live'`,
      ),
    ).toEqual(['in_live'])
    disconnect()
  })

  it('receives the id of a task that is created, changed, deleted or gets a note, within a second', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const heard = async (sql: string, values: string[] = []) => {
      const { rows } = await shop.database.owner.query<{ id: string }>(sql, values)
      return {
        id: rows[0]?.id ?? '',
        tasks: liveEvents.tasks.parse(await next(events, 'tasks')).tasks,
      }
    }
    const { id, tasks } = await heard(
      `insert into public.tasks (title) values ('Front brakes') returning id`,
    )
    expect(tasks).toEqual([id])
    const changes = [
      `update public.tasks set status = 'in_progress' where id = $1`,
      `insert into public.task_notes (task_id, note, created_by, created_by_name) values ($1, 'Pads are here.', 'admin', 'admin')`,
      'delete from public.tasks where id = $1',
    ]
    for (const sql of changes) expect((await heard(sql, [id])).tasks).toEqual([id])
    disconnect()
  })

  it('receives the id of a quote request that is created, emailed, changed or deleted, within a second', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const heard = async (sql: string, values: string[] = []) => {
      const { rows } = await shop.database.owner.query<{ id: string }>(sql, values)
      return {
        id: rows[0]?.id ?? '',
        quotes: liveEvents.quotes.parse(await next(events, 'quotes')).quotes,
      }
    }
    const { id, quotes } = await heard(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
       values ('Iris', 'iris@customer.example', '2015', 'Honda', 'Accord', 'Hesitates.') returning id`,
    )
    expect(quotes).toEqual([id])
    // The email is not due yet, so that the email job does not deliver it before the test does.
    const email = await heard(
      `insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body, quote_request_id,
         next_attempt_at)
       values ('quote_reply', 'live-quote', 'iris@customer.example', 'Quote', 'Quote', 'Quote', $1,
         now() + interval '1 day') returning id`,
      [id],
    )
    expect(email.quotes).toEqual([id])
    const changes = [
      `update public.emails set status = 'in_outbox', sent_at = now() where quote_request_id = $1`,
      `update public.quote_requests set status = 'completed' where id = $1`,
      'delete from public.quote_requests where id = $1',
    ]
    for (const sql of changes) expect((await heard(sql, [id])).quotes).toEqual([id])
    disconnect()
  })

  it('receives the ids of customers whose contact details or notes change or who are merged, within a second', async () => {
    const asOwner = async (sql: string, values: unknown[] = []) =>
      (await shop.database.owner.query<{ id: string }>(sql, values)).rows[0]?.id ?? ''
    const customer = await asOwner(
      `insert into public.customers (name) values ('Maria') returning id`,
    )
    const other = await asOwner(`insert into public.customers (name) values ('Mary') returning id`)
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const heard = async (sql: string, values: unknown[]) => {
      await asOwner(sql, values)
      return liveEvents.customers.parse(await next(events, 'customers')).customers
    }
    expect(
      await heard(`update public.customers set name = 'M.' where id = $1`, [customer]),
    ).toEqual([customer])
    expect(
      await heard(
        `insert into public.customer_notes (customer_id, note, written_by_name) values ($1, 'Works nights.', 'ana')`,
        [customer],
      ),
    ).toEqual([customer])
    expect(
      await heard('update public.customers set merged_into = $1 where id = $2', [customer, other]),
    ).toEqual([other, customer])
    disconnect()
  })

  it('of a technician receives events about the day view without record ids, and no events about other records', async () => {
    const owner = await listen()
    await addStaffAccount(shop, 'ben', 'technician')
    // Adding the technician's account causes an event. The test waits for that event before the technician connects.
    await next(owner.events, 'settings')
    owner.disconnect()
    const { events, disconnect } = await listen((await signInAs(shop, 'ben')).cookie)
    await next(events, 'refetch')
    await shop.database.owner.query(`insert into public.customers (name) values ('Maria')`)
    await shop.database.owner.query(
      `update public.estimate_rules set good_for_days = good_for_days + 1`,
    )
    await insertBooking()
    const { value } = await events.next()
    expect(value).toEqual({ name: 'bookings', data: { bookings: [], events: [] } })
    disconnect()
  })

  it('receives the name of the settings section that changed', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    await shop.database.owner.query(`update public.shop set tagline = 'New'`)
    expect(await next(events, 'settings')).toEqual({ sections: ['shop'] })
    disconnect()
  })

  it('receives no event for a rolled-back change', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    const client = await shop.database.owner.connect()
    await client.query('begin')
    await client.query(`update public.bookings set status = 'cancelled'`)
    await client.query('rollback')
    client.release()
    const id = await insertBooking('Robin')
    expect(liveEvents.bookings.parse(await next(events, 'bookings')).bookings).toEqual([id])
    disconnect()
  })

  it('receives the event to refetch everything when too many records changed', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    await shop.database.owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
         customer_name, customer_phone, bay_id)
       select $1, '2030-11-28', '13:30', 90, 'Dana', '555-0167', null from generate_series(1, 300)`,
      [serviceId],
    )
    expect(await next(events, 'refetch')).toEqual({})
    disconnect()
  })

  it('receives the event to refetch everything after the process lost its database connection', async () => {
    const { events, disconnect } = await listen()
    await next(events, 'refetch')
    await shop.database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'listen %'`,
    )
    await next(events, 'refetch')
    const id = await insertBooking()
    expect(liveEvents.bookings.parse(await next(events, 'bookings')).bookings).toEqual([id])
    disconnect()
  })
})

describe('a connection for live events', () => {
  it('is refused with 503 if its dashboard session already has twelve connections', async () => {
    const own = await shop.logIn()
    const all = await Promise.all(Array.from({ length: 13 }, () => listen(own)))
    const statuses = all
      .map(({ response }) => response.status)
      .toSorted((one, other) => one - other)
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 503])
    for (const { disconnect } of all) disconnect()
  })

  it('does not count toward the limit on connections if its request has the method HEAD', async () => {
    const own = await shop.logIn()
    const statuses = []
    for (let nth = 0; nth < 20; nth += 1) {
      const { status } = await fetch(`${origin}/api/admin/live`, {
        method: 'HEAD',
        headers: { cookie: own },
      })
      statuses.push(status)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('ends within five seconds after its dashboard session expired', async () => {
    const own = await shop.logIn()
    const { response } = await listen(own)
    const reading = response.text()
    const endedAt = Date.now()
    await shop.database.owner.query(
      `update internal.admin_sessions set last_used_at = now() - interval '12 hours'
       where created_at = (select max(created_at) from internal.admin_sessions)`,
    )
    expect(await reading).toContain('event: refetch')
    expect(Date.now() - endedAt).toBeLessThan(5_000)
  })

  it('ends with a complete response when the process shuts down', async () => {
    const own = await createTestApp({ config: { rateLimits: 'off' } })
    const url = await own.listen()
    const response = await fetch(`${url}/api/admin/live`, {
      headers: { cookie: await own.logIn() },
    })
    const reading = response.text()
    await own.close()
    expect(await reading).toContain('event: refetch')
  })
})
