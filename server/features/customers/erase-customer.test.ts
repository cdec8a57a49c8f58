import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasurePreview } from '#contracts/customers.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { redactExpiredRecords } from './redact-expired-records.ts'

/**
 * The name, the contact details and the vehicle of the customer to erase. No other record contains one of these texts
 * (marks), so that each text with a mark comes from this customer.
 */
const name = 'Zebulon Quartermain'
const email = 'zebulon.q@example.com'
const phone = '(650) 555-0143'
const marks = ['zebulon', 'quartermain', '5550143', '555-0143', '8klm204', '1m8gdm9axkp042788']

let shop: PaymentApp
let customerId: string
let bookingId: string
let serviceId: string
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))

beforeAll(async () => {
  shop = await createPaymentApp()
  const [service] = await runQuery<{ id: string }>('select id from public.services limit 1')
  serviceId = service?.id ?? ''
  const [booked] = await runQuery<{ id: string; customer: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color, notes, internal_note)
     values ($1, current_date - 30, '12:00', 30, $2, $3, $4, '2019', 'Subaru', 'Outback', 'Green',
       'Call Zebulon Quartermain first.', 'ask 650-555-0143') returning id, customer_id as customer`,
    [serviceId, name, email, phone],
  )
  bookingId = booked?.id ?? ''
  customerId = booked?.customer ?? ''
  await runQuery(
    `update public.vehicles set plate = '8KLM204', vin = '1M8GDM9AXKP042788', internal_note = 'Zebulon Quartermain''s' where customer_id = $1`,
    [customerId],
  )
  await runQuery(
    `insert into public.quote_requests (name, email, phone, vehicle_year, vehicle_make, vehicle_model, description)
     values ($1, upper($2), $3, '2019', 'Subaru', 'Outback', '=cmd|Zebulon')`,
    [name, email, phone],
  )
  await runQuery(
    `insert into public.tasks (title, description, booking_id) values ('Oil for Zebulon Quartermain', $2, $1)`,
    [bookingId, `write to ${email}`],
  )
  await asAdmin('select public.add_customer_note($1, $2)', [customerId, 'Zebulon works nights.'])
  // A booking of another customer, with an internal note that names the erased customer.
  await runQuery(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_phone, internal_note) values ($1, current_date - 20, '12:00', 30, 'Sam Okafor', '(650) 555-0155', $2)`,
    [serviceId, `Sent by ${email}, ${phone}.`],
  )
  await runQuery(
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, booking_id,
       attachments)
     values ('booking_confirmation', 'story-1', $2, $3, 'Your visit', '<p>Zebulon</p>', 'Zebulon', $1,
       '[{"filename": "visit.ics", "contentType": "text/calendar", "contentBase64": "QkVHSU4="}]')`,
    [bookingId, email, name],
  )
})
afterAll(() => shop.close())

const previewOf = async () => {
  const [row] = await asAdmin<{ read: unknown }>('select public.preview_erasure($1) as read', [
    customerId,
  ])
  return erasurePreview.parse(row?.read)
}
const post = async (path: string, payload: object) => {
  const cookie = await shop.logInConfirmed()
  return shop.inject({
    method: 'POST',
    url: `/api/customers/${path}`,
    headers: { cookie },
    payload,
  })
}
const erase = async (version: number, confirmation = 'erase') =>
  post('erase', { customerId, version, excludedKeys: [], confirmation })

/** Inserts a sent estimate that has expired, and a draft. */
async function writeEstimates(): Promise<void> {
  await runQuery(
    `insert into public.estimates (number, customer_name, customer_email, vehicle_year, vehicle_make, vehicle_model)
     values ('E-9001', $1, $2, '2019', 'Subaru', 'Outback'), ('E-9002', $1, $2, '2019', 'Subaru', 'Outback')`,
    [name, email],
  )
  await runQuery(
    `insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
     select id, 1, current_date - 1, 91250 from public.estimates`,
  )
  await runQuery(
    `update public.estimate_revisions set frozen_at = now(), document = jsonb_build_object('customer', $1::text),
       hash = encode(sha256(convert_to(jsonb_build_object('customer', $1::text)::text, 'UTF8')), 'hex')
     where estimate_id = (select id from public.estimates where number = 'E-9001')`,
    [name],
  )
}

/**
 * Lists all tables that contain a text with one of the `marks`: the name, contact details and vehicle of the erased
 * customer.
 */
async function findMarks(): Promise<string[]> {
  const columns = await runQuery<{ place: string; sql: string }>(
    `select table_schema || '.' || table_name as place,
            format('select 1 from %I.%I where lower(%I::text) like any ($1) limit 1', table_schema, table_name, column_name) as sql
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'supabase_migrations')`,
  )
  const found = new Set<string>()
  for (const { place, sql } of columns) {
    if ((await runQuery(sql, [marks.map((mark) => `%${mark}%`)])).length > 0) found.add(place)
  }
  return [...found].toSorted((one, other) => one.localeCompare(other))
}

describe('the data of a customer', () => {
  let invoice: { id: string; number: string }

  it('is exported as one archive with every table row, email and file', async () => {
    invoice = await shop.createInvoice({ customer: { name, email, phone } })
    const response = await post('export', { customerId })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/zip')
    expect(response.headers['content-disposition']).not.toMatch(/zebulon/i)
    const files = unzipSync(response.rawPayload)
    const names = Object.keys(files)
    const text = (file: string) => strFromU8(files[file] ?? new Uint8Array())
    expect(JSON.parse(text('all.json'))).toMatchObject({
      customer: { name, email },
      bookings: [{ internal_note: 'ask 650-555-0143' }],
      quotes: [{}],
      notes: [{ note: 'Zebulon works nights.' }],
      vehicles: [{ plate: '8KLM204' }],
      invoices: [{ number: invoice.number }],
      tasks: [{ title: 'Oil for Zebulon Quartermain' }],
    })
    expect(text('tables/quotes.csv')).toContain(`'=cmd|Zebulon`)
    expect(
      names.filter((file) => file.startsWith('letters/')).map((file) => file.replace(/^.*\//, '')),
    ).toEqual(expect.arrayContaining(['letter.txt', 'letter.html', '1-visit.ics']))
    expect(
      strFromU8(
        files[`invoices/${names.find((file) => file.endsWith('.pdf'))?.slice(9)}`]?.slice(0, 4) ??
          new Uint8Array(),
      ),
    ).toBe('%PDF')
    expect(response.rawPayload.toString('latin1')).not.toContain('Sam Okafor')
  })

  it('is not erased with an open invoice, without the confirmation word, or when the record changed after staff read it', async () => {
    const { version, open } = await previewOf()
    expect(open).toMatchObject([{ kind: 'invoice', title: invoice.number }])
    expect((await erase(version)).json()).toMatchObject({ code: 'CUSTOMER_HAS_OPEN_RECORDS' })
    expect((await erase(version, 'Erase')).json()).toMatchObject({ code: 'BAD_REQUEST' })
    await shop.payByCard(await shop.checkout(invoice.id))
    await shop.deliverEvents()
    expect((await erase(version - 1)).json()).toMatchObject({ code: 'CUSTOMER_CHANGED' })
  })

  it('is not erased with an upcoming appointment', async () => {
    const [booking] = await runQuery<{ id: string }>(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_email, customer_phone) values ($1, current_date + 300, '12:00', 30, $2, $3, $4) returning id`,
      [serviceId, name, email, phone],
    )
    const { version } = await previewOf()
    expect((await erase(version)).json()).toMatchObject({ code: 'CUSTOMER_HAS_OPEN_RECORDS' })
    await runQuery(`update public.bookings set status = 'cancelled' where id = $1`, [booking?.id])
  })

  it('is erased from the whole database, except from records that the law requires the shop to keep', async () => {
    const before = await findMarks()
    expect(before).toContain('public.bookings')
    await runQuery('alter table public.booking_events disable trigger prevent_history_change')
    await runQuery(
      `update public.booking_events set reason = 'Zebulon Quartermain called' where booking_id = $1`,
      [bookingId],
    )
    await runQuery('alter table public.booking_events enable trigger prevent_history_change')
    const [links] = await runQuery<{ token: string }>(
      'select public.visit_page_token($1) as token',
      [bookingId],
    )
    await writeEstimates()
    const { version, retained: kept, retainedUntil } = await previewOf()
    expect(kept).toMatchObject([
      { kind: 'estimate', number: 'E-9001' },
      { kind: 'invoice', number: invoice.number },
    ])
    const response = await erase(version)
    expect(response.json()).toMatchObject({
      ok: true,
      retained: kept,
      counts: { bookings: 2, quotes: 1, vehicles: 1, notes: 1 },
    })

    // The erasure does not delete the shop's own records of the invoice and the estimate. The Stripe sandbox's tables
    // simulate Stripe's own records, which the shop does not erase.
    expect((await findMarks()).filter((place) => !place.startsWith('stripe_sandbox.'))).toEqual([
      'public.estimate_revisions',
      'public.estimates',
      'public.invoices',
    ])
    expect(await runQuery('select number from public.estimates')).toEqual([{ number: 'E-9001' }])
    expect(
      await runQuery('select status from public.emails where dedupe_key = $1', ['story-1']),
    ).toEqual([])
    expect((await shop.inject({ method: 'GET', url: `/visit/${links?.token}` })).statusCode).toBe(
      404,
    )
    expect(await readdir(join(shop.config.dataDirectory, 'outbox')).catch(() => [])).toEqual([])
    expect(
      await runQuery(
        `select customer_id, erased_by_name, retained_until::text, retained from public.erasures`,
      ),
    ).toEqual([
      {
        customer_id: customerId,
        erased_by_name: 'admin',
        retained_until: retainedUntil,
        retained: kept,
      },
    ])
    expect(
      await runQuery(
        `select reason from public.booking_events where booking_id = $1 and reason is not null`,
        [bookingId],
      ),
    ).toEqual([{ reason: '[erased] called' }])
    expect(
      await runQuery(
        `select internal_note from public.bookings where customer_name = 'Sam Okafor'`,
      ),
    ).toEqual([{ internal_note: 'Sent by [erased], [erased].' }])
  })

  it('is erased only once, and the record of the erasure cannot be changed', async () => {
    expect((await erase(99)).json()).toMatchObject({ ok: false })
    expect((await post('export', { customerId })).json()).toMatchObject({
      code: 'CUSTOMER_NOT_FOUND',
    })
    await expect(runQuery(`update public.erasures set retained = '[]'`)).rejects.toMatchObject({
      code: 'TT055',
    })
    await expect(runQuery(`delete from public.erasures`)).rejects.toMatchObject({ code: 'TT055' })
    await expect(runQuery(`update public.booking_events set reason = 'x'`)).rejects.toMatchObject({
      code: 'TT055',
    })
  })

  it('is not stored again when a later webhook event contains an invoice of the erased customer', async () => {
    await shop.deliverEvents()
    expect(await runQuery(`select from public.customers where name ~* 'zebulon'`)).toEqual([])
  })

  it('no longer includes the customer’s name on an invoice after the retention period of three years', async () => {
    await runQuery(`update public.invoices set created_at = created_at - interval '4 years'`)
    await runQuery('alter table public.erasures disable trigger prevent_history_change')
    await runQuery(
      `update public.erasures set retained_until = current_date - 2,
         retained = jsonb_build_array(retained -> 0 || jsonb_build_object('retainedUntil', current_date - 2))`,
    )
    expect(
      await redactExpiredRecords(shop.database.database, join(shop.config.dataDirectory, 'outbox')),
    ).toBe(1)
    expect(await runQuery('select customer_name from public.invoices')).toEqual([
      { customer_name: 'Erased' },
    ])
  })
})
