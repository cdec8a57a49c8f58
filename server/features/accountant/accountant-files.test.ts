import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import {
  estimateDocument,
  estimateJob,
  laborLine,
  partLine,
} from '#tests/support/estimates/estimates.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import {
  admin,
  formBot,
  refusalTo,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: PaymentApp
let cookie: string
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows

beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
})
afterAll(() => shop.close())

const file = (kind: string, from: string, to: string) =>
  shop.inject({
    method: 'POST',
    url: '/api/accountant/file',
    headers: { cookie },
    payload: { kind, from, to },
  })
const linesOf = (text: string) =>
  text
    .replace(/^\u{feff}/u, '')
    .split('\r\n')
    .slice(0, -1)

async function book(date: string, more: Record<string, unknown> = {}): Promise<void> {
  const row = {
    appointment_date: date,
    appointment_time: '13:30',
    customer_name: 'Maria Delgado',
    customer_email: 'maria@example.com',
    customer_phone: '(650) 555-0167',
    vehicle_year: '2019',
    vehicle_make: 'Subaru',
    vehicle_model: 'Outback',
    created_at: '2026-01-02T07:59:59Z',
    ...more,
  }
  const names = Object.keys(row)
  await runQuery(
    `insert into public.bookings (service_id, duration_minutes, ${names.join(', ')})
     select id, 60, ${names.map((_, index) => `$${index + 1}`).join(', ')}
     from public.services where name = 'Brake Job'`,
    Object.values(row),
  )
}

describe('the appointments file', () => {
  beforeAll(async () => {
    await runQuery(`update public.services set price_from_cents = 18950 where name = 'Brake Job'`)
    await book('2025-12-31', { customer_name: 'Too Early' })
    await book('2026-01-01', { customer_name: '=HYPERLINK("http://x.example")' })
    await book('2026-03-31', { appointment_time: '23:30', customer_name: '＋Late, Luis' })
    await book('2026-03-31', {
      appointment_time: '08:00',
      customer_phone: '+1 650 555 0142',
      customer_email: null,
      vehicle_year: null,
      vehicle_make: null,
      vehicle_model: null,
      completed_at: '2026-03-31T20:00:00Z',
      completed_by: 'admin',
    })
    await book('2026-04-01', { customer_name: 'Too Late' })
    await runQuery(`update public.vehicles set plate = '8KLM204'`)
  })

  it('lists the appointments from the first to the last day of the range, both included, in calendar order', async () => {
    const response = await file('appointments', '2026-01-01', '2026-03-31')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="appointments-2026-01-01-to-2026-03-31.csv"',
      'cache-control': 'no-store',
    })
    expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(linesOf(response.body)).toEqual([
      'Date,Time,Service,Minutes,Price from (USD),State,Customer,Email,Phone,Vehicle,Plate,Bay,Booked on,Came from',
      `2026-01-01,13:30,Brake Job,60,189.50,Booked,"'=HYPERLINK(""http://x.example"")",maria@example.com,(650) 555-0167,2019 Subaru Outback,8KLM204,Bay 1,2026-01-01,Website`,
      `2026-03-31,08:00,Brake Job,60,189.50,Picked up,Maria Delgado,,'+1 650 555 0142,,,Bay 1,2026-01-01,Website`,
      `2026-03-31,23:30,Brake Job,60,189.50,Booked,"'＋Late, Luis",maria@example.com,(650) 555-0167,2019 Subaru Outback,8KLM204,Bay 1,2026-01-01,Website`,
    ])
  })

  it('returns no file when the range has no records', async () => {
    const response = await file('appointments', '2020-01-01', '2020-12-31')
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers['content-disposition']).toBeUndefined()
  })
})

describe('the invoices file', () => {
  const head =
    'Number,Date,Due,Customer,Email,Estimate,Parts (USD),Labor (USD),Fees (USD),Sublet (USD),Discount (USD),' +
    'Before tax (USD),Tax (USD),Total (USD),Credited (USD),Paid (USD),Balance (USD),Paid on,State,In another currency,Replaces'
  const make = async (at: string, name: string) => {
    shop.clock.now = Date.parse(at)
    const customer = { name, email: `${name.toLowerCase()}@example.com`, phone: '' }
    return shop.createInvoice({ customer })
  }
  const rowsOf = (text: string) =>
    linesOf(text)
      .slice(1)
      .map((line) => line.split(','))
  /** Creates `count` further Stripe invoices, each with the given creation time in Unix seconds. */
  const copy = (id: string, count: number, created: string) =>
    runQuery(
      `insert into stripe_sandbox.objects (id, object, created, data)
       select 'in_copy' || place, 'invoice', place, data || jsonb_build_object('id', 'in_copy' || place, 'created', place)
       from stripe_sandbox.objects, lateral (select ${created} as place from generate_series(1, $2) n) made
       where id = $1 order by place`,
      [id, count],
    )

  it('begins and ends its date range at midnight in the shop’s time zone, even on the day on which daylight-saving time ends', async () => {
    await make('2026-11-01T06:59:59Z', 'Before')
    await make('2026-11-01T07:00:00Z', 'First')
    const last = await make('2026-11-02T07:59:59Z', 'Last')
    await make('2026-11-02T08:00:00Z', 'After')
    const response = await file('invoices', '2026-11-01', '2026-11-01')
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="invoices-2026-11-01-to-2026-11-01.csv"',
    )
    expect(linesOf(response.body)[0]).toBe(head)
    expect(rowsOf(response.body).map((cells) => cells.slice(1, 5))).toEqual([
      // Both invoices are created on November 1, and each is due 168 hours (seven days) later. Daylight saving time
      // ends between the two creations, so 'First' is due on November 7 and 'Last' on November 8.
      ['2026-11-01', '2026-11-07', 'First', 'first@example.com'],
      ['2026-11-01', '2026-11-08', 'Last', 'last@example.com'],
    ])
    expect(linesOf(response.body)[2]).toBe(
      `${last.number},2026-11-01,2026-11-08,Last,last@example.com,,,,,,,407.00,0.00,407.00,0.00,0.00,407.00,,Open,,`,
    )
  })

  it('lists the parts, labor and taxes of an estimate, and the amount and date of each payment', async () => {
    shop.clock.now = Date.parse('2026-11-05T18:00:00Z')
    const { database } = shop.database
    const off = {
      ...laborLine,
      kind: 'discount',
      subtype: 'amount',
      quantityThousandths: 1000,
    } as const
    const job = estimateJob({ lines: [laborLine, partLine, { ...off, unitPriceCents: 1500 }] })
    const estimateId = await approveEstimate(database, estimateDocument([job]))
    const { version: seenVersion, number } = await readEstimate(database, estimateId)
    const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
    const invoice = body['invoice'] as { id: string; number: string }
    shop.clock.now = Date.parse('2026-11-06T18:00:00Z')
    await shop.payByCard(await shop.checkout(invoice.id))
    await shop.deliverEvents()
    const [cells = []] = rowsOf((await file('invoices', '2026-11-05', '2026-11-05')).body)
    expect([cells[0], ...cells.slice(5)]).toEqual(
      `${invoice.number},${number},109.00,174.00,0.00,0.00,-15.00,268.00,9.95,277.95,0.00,277.95,0.00,2026-11-06,Paid,,`.split(
        ',',
      ),
    )
  })

  it('omits drafts, and has empty dollar columns for invoices in other currencies', async () => {
    const { id } = await make('2026-11-07T18:00:00Z', 'Draft')
    const other = await make('2026-11-07T19:00:00Z', 'Euro')
    await runQuery(
      `update stripe_sandbox.objects set data = data || '{"status": "draft"}' where id = $1`,
      [id],
    )
    await runQuery(
      `update stripe_sandbox.objects set data = data || '{"currency": "eur"}' where id = $1`,
      [other.id],
    )
    expect(rowsOf((await file('invoices', '2026-11-07', '2026-11-07')).body)).toEqual([
      [
        other.number,
        '2026-11-07',
        '2026-11-14',
        'Euro',
        'euro@example.com',
        ...Array(13).fill(''),
        'Open',
        '€407.00',
        ' paid €0.00',
        '',
      ].map((cell) => expect.stringContaining(cell) as string),
    ])
  })

  it('shows only the retained data of an erased customer, even when Stripe still stores more data', async () => {
    await make('2026-11-08T18:00:00Z', 'Kept')
    await make('2026-11-08T19:00:00Z', 'Gone')
    await runQuery(`update public.customers set erased_at = now() where name in ('Kept', 'Gone')`)
    await runQuery(
      `update public.invoices set customer_name = 'Erased' where customer_name = 'Gone'`,
    )
    expect(
      rowsOf((await file('invoices', '2026-11-08', '2026-11-08')).body).map((cells) =>
        cells.slice(3, 5),
      ),
    ).toEqual([
      ['Kept', ''],
      ['Erased', ''],
    ])
  })

  it('lists each of several hundred invoices once, oldest first, even when they were created on the same day', async () => {
    const { id } = await make('2026-06-01T18:00:00Z', 'Many')
    const day = Date.parse('2025-03-09T18:00:00Z') / 1000
    await copy(id, 230, `${day} + n`)
    await copy(id, 150, `${day} + 40 * 86400 + n * 90000`)
    shop.drainCalls()
    const rows = rowsOf((await file('invoices', '2025-01-01', '2025-12-31')).body)
    expect(rows).toHaveLength(380)
    const dates = rows.map(([, date = '']) => date)
    expect(dates).toEqual(dates.toSorted((one, other) => one.localeCompare(other)))
    expect(new Set(dates).size).toBe(151)
    expect(shop.drainCalls().length).toBeLessThan(30)
  })

  it('returns a refusal when Stripe is unreachable, and aborts the download when Stripe fails later', async () => {
    shop.breakCalls(({ path }) => (path === '/v1/invoices' ? 'before' : undefined))
    const refused = await file('invoices', '2025-01-01', '2025-12-31')
    expect([refused.statusCode, refused.json()]).toMatchObject([
      502,
      { code: 'INVOICES_UNREADABLE' },
    ])
    shop.breakCalls(undefined)
    shop.drainCalls()
    await file('invoices', '2025-01-01', '2025-12-31')
    let calls = shop.drainCalls().length
    shop.breakCalls(() => ((calls -= 1) === 0 ? 'before' : undefined))
    const origin = await shop.listen()
    const body = JSON.stringify({ kind: 'invoices', from: '2025-01-01', to: '2025-12-31' })
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/accountant/file`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    shop.breakCalls(undefined)
  })
})

describe('the customers file', () => {
  const customers = async (from: string, to: string) => {
    const response = await file('customers', from, to)
    return response.statusCode === 204 ? [] : linesOf(response.body).slice(1)
  }
  const namesIn = (lines: readonly string[]) => lines.map((line) => line.split(',')[0])

  beforeAll(async () => {
    const email = 'noor@example.com'
    const noor = {
      customer_name: 'Noor Haddad',
      customer_email: email,
      customer_phone: '650-555-0120',
    }
    await book('2015-05-01', {
      ...noor,
      completed_at: '2015-05-01T20:00:00Z',
      completed_by: 'admin',
      created_at: '2015-04-20T18:00:00Z',
    })
    await book('2015-05-10', { ...noor, status: 'no_show', created_at: '2015-04-21T18:00:00Z' })
    await book('2015-05-11', { ...noor, status: 'cancelled', created_at: '2015-04-21T18:00:00Z' })
    // The first invoice is created at 23:59:59 on May 31 in shop time, the second at the first moment of June 30.
    for (const at of ['2015-06-01T06:59:59Z', '2015-06-30T07:00:00Z']) {
      shop.clock.now = Date.parse(at)
      await shop.createInvoice({ customer: { name: 'Noor Haddad', email, phone: '' } })
    }
    await runQuery(
      `update public.invoices set status = 'paid' where created_at = '2015-06-01T06:59:59Z'`,
    )
    await runQuery(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description, created_at)
       values ('@Asker', 'asker@example.com', '2019', 'Subaru', 'Outback', 'Brakes', '2014-03-09T08:00:00Z')`,
    )
    await runQuery(
      `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, created_at)
       values ('visit_links', 'story', 'Noor@example.com', 'Noor', 'Your visits', '', '', '2015-08-15T18:00:00Z')`,
    )
  })

  it('counts each customer’s appointments and invoices in a date range that begins and ends at midnight in the shop’s time zone', async () => {
    const response = await file('customers', '2015-05-01', '2015-05-31')
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="customers-2015-05-01-to-2015-05-31.csv"',
    )
    expect(linesOf(response.body)).toEqual([
      'Name,Email,Phone,First seen,Visits,Missed,Invoices,Invoiced (USD),Paid (USD)',
      'Noor Haddad,noor@example.com,650-555-0120,2015-04-20,1,1,1,407.00,407.00',
    ])
    expect(await customers('2015-06-01', '2015-06-29')).toEqual([])
    expect(await customers('2015-06-30', '2015-06-30')).toEqual([
      'Noor Haddad,noor@example.com,650-555-0120,2015-04-20,0,0,1,407.00,0.00',
    ])
  })

  it('lists only customers with a record in the date range, such as an appointment, a quote request or an email', async () => {
    expect(namesIn(await customers('2015-04-20', '2015-04-20'))).toEqual(['Noor Haddad'])
    expect(namesIn(await customers('2015-08-15', '2015-08-15'))).toEqual(['Noor Haddad'])
    expect(namesIn(await customers('2014-03-09', '2014-03-09'))).toEqual(["'@Asker"])
    expect(await customers('2014-03-10', '2014-12-31')).toEqual([])
  })

  it('lists an erased customer without personal data, and omits merged duplicates', async () => {
    const { database } = shop.database
    const [customer] = await runQuery<{ id: string; version: number }>(
      `select id, version from public.customers where name = 'Noor Haddad'`,
    )
    await runQuery(`update public.invoices set status = 'void' where created_at < '2015-07-01'`)
    await database.transaction(asServer, (query) =>
      query.unchecked(`select internal.erase_customer($1, $2, 'ana')`, [
        customer?.id,
        customer?.version,
      ]),
    )
    expect(await customers('2015-05-01', '2015-05-31')).toEqual([
      'Erased,,,2015-04-20,1,1,0,0.00,0.00',
    ])
    expect(linesOf((await file('appointments', '2015-05-01', '2015-05-01')).body)[1]).toBe(
      '2015-05-01,13:30,Brake Job,60,189.50,Picked up,Erased,,Erased,2019 Subaru Outback,,Bay 1,2015-04-20,Website',
    )
    await runQuery(
      `update public.customers set merged_into = (select id from public.customers where name = '@Asker') where id = $1`,
      [customer?.id],
    )
    expect(await customers('2015-05-01', '2015-05-31')).toEqual([])
  })
})

describe('a file for the accountant', () => {
  it.each([
    ['2026-02-01', '2026-01-31', 'The last day is before the first one.'],
    ['2026-02-29', '2026-03-01', 'Please choose the first day.'],
    [
      '2010-01-01',
      '2026-01-01',
      'Please choose ten years or less: a longer period needs several files.',
    ],
  ])(
    'is refused with a message for the invalid date range from %s to %s',
    async (from, to, message) => {
      const response = await file('appointments', from, to)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { ok: false, code: 'BAD_RANGE', message },
      ])
    },
  )

  it('is refused to a client that is not signed in as an admin', async () => {
    const payload = { kind: 'appointments', from: '2026-01-01', to: '2026-03-31' }
    const url = '/api/accountant/file'
    expect((await shop.inject({ method: 'POST', url, payload })).statusCode).toBe(401)
    const headers = { cookie, origin: 'https://elsewhere.example' }
    expect((await shop.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(403)
  })

  it.each([
    `internal.list_appointment_records('2026-01-01', '00:00', gen_random_uuid(), '2026-12-31', 500)`,
    `internal.describe_invoice_records('{in_1}')`,
    `internal.list_ledger_records(true, '2026-01-01', '-infinity', gen_random_uuid(), '2026-12-31', 500)`,
    `internal.list_customer_records('2026-01-01', '2026-12-31', '-infinity', gen_random_uuid(), 500)`,
  ])('cannot be read by a client role that calls its SQL function: %s', async (list) => {
    for (const identity of [visitor, formBot, signedInStranger, admin]) {
      const read = (query: Query) => query.unchecked(`select * from ${list}`)
      expect((await refusalTo(shop.database.database, identity, read)).code).toBe('42501')
    }
  })

  it('is refused if the requested kind of records has no file, such as the settings', async () => {
    expect((await file('settings', '2026-01-01', '2026-01-31')).statusCode).toBe(400)
  })
})
