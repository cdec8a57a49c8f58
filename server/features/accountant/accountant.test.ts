import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest'
import { type Query, queryBy } from '#server/platform/database/query.ts'
import { approveEstimate, readEstimate } from '#testing/approved-estimate.ts'
import { estimateDocument, estimateJob, laborLine, partLine } from '#testing/estimates.ts'
import { createPaymentApp, type PaymentApp } from '#testing/payment-app.ts'
import { admin, machine, refusalTo, stranger, visitor } from '#testing/stories.ts'

let shop: PaymentApp
let cookie: string
let watched: MockInstance | undefined
const ask = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows

beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logIn()
})
afterEach(() => watched?.mockRestore())
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
  await ask(
    `insert into public.bookings (service_id, duration_minutes, ${names.join(', ')})
     select id, 60, ${names.map((_, index) => `$${index + 1}`).join(', ')}
     from public.services where name = 'Brake Job'`,
    Object.values(row),
  )
}

describe('the file of appointments', () => {
  beforeAll(async () => {
    await ask(`update public.services set price_from_cents = 18950 where name = 'Brake Job'`)
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
    await ask(`update public.cars set plate = '8KLM204'`)
  })

  it('has the days of both ends and none around them, in the order of the calendar', async () => {
    const response = await file('appointments', '2026-01-01', '2026-03-31')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="appointments-2026-01-01-to-2026-03-31.csv"',
      'cache-control': 'no-store',
    })
    expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(linesOf(response.body)).toEqual([
      'Date,Time,Service,Minutes,Price from (USD),State,Customer,E-mail,Phone,Vehicle,Plate,Bay,Booked on,Came from',
      `2026-01-01,13:30,Brake Job,60,189.50,Booked,"'=HYPERLINK(""http://x.example"")",maria@example.com,(650) 555-0167,2019 Subaru Outback,8KLM204,Bay 1,2026-01-01,Website`,
      `2026-03-31,08:00,Brake Job,60,189.50,Done,Maria Delgado,,'+1 650 555 0142,,,Bay 1,2026-01-01,Website`,
      `2026-03-31,23:30,Brake Job,60,189.50,Booked,"'＋Late, Luis",maria@example.com,(650) 555-0167,2019 Subaru Outback,8KLM204,Bay 1,2026-01-01,Website`,
    ])
  })

  it('is no file where there is nothing', async () => {
    const response = await file('appointments', '2020-01-01', '2020-12-31')
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers['content-disposition']).toBeUndefined()
  })
})

describe('the file of invoices', () => {
  const head =
    'Number,Date,Due,Customer,E-mail,Estimate,Parts (USD),Labor (USD),Fees (USD),Sublet (USD),Discount (USD),' +
    'Before tax (USD),Tax (USD),Total (USD),Paid (USD),Paid on,State,In another currency'
  const make = async (at: string, name: string) => {
    shop.clock.now = Date.parse(at)
    const customer = { name, email: `${name.toLowerCase()}@example.com`, phone: '' }
    return shop.createInvoice({ customer })
  }
  const rowsOf = (text: string) =>
    linesOf(text)
      .slice(1)
      .map((line) => line.split(','))
  /** As many more of the processor's invoices as were made at once, at so many seconds since 1970. */
  const copy = (id: string, count: number, created: string) =>
    ask(
      `insert into stripe_sandbox.objects (id, object, created, data)
       select 'in_copy' || place, 'invoice', place, data || jsonb_build_object('id', 'in_copy' || place, 'created', place)
       from stripe_sandbox.objects, lateral (select ${created} as place from generate_series(1, $2) n) made
       where id = $1 order by place`,
      [id, count],
    )

  it('has both ends of a day on which the clock is turned back, by the shop’s midnight', async () => {
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
      // Seven days of seconds, as the processor counts: on a day of 25 hours one less.
      ['2026-11-01', '2026-11-07', 'First', 'first@example.com'],
      ['2026-11-01', '2026-11-08', 'Last', 'last@example.com'],
    ])
    expect(linesOf(response.body)[2]).toBe(
      `${last.number},2026-11-01,2026-11-08,Last,last@example.com,,,,,,,407.00,0.00,407.00,0.00,,Open,`,
    )
  })

  it('says what an estimate’s parts, labor and taxes come to, and what was paid when', async () => {
    shop.clock.now = Date.parse('2026-11-05T18:00:00Z')
    const { database } = shop.database
    const off = { ...laborLine, kind: 'discount', detail: 'amount', thousandths: 1000 } as const
    const job = estimateJob({ lines: [laborLine, partLine, { ...off, unitCents: 1500 }] })
    const estimateId = await approveEstimate(database, estimateDocument([job]))
    const { version: seenVersion, number } = await readEstimate(database, estimateId)
    const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
    const invoice = body['invoice'] as { id: string; number: string }
    shop.clock.now = Date.parse('2026-11-06T18:00:00Z')
    await shop.payByCard(await shop.checkout(invoice.id))
    await shop.deliverEvents()
    const [cells = []] = rowsOf((await file('invoices', '2026-11-05', '2026-11-05')).body)
    expect([cells[0], ...cells.slice(5)]).toEqual(
      `${invoice.number},${number},109.00,174.00,0.00,0.00,-15.00,268.00,9.95,277.95,277.95,2026-11-06,Paid,`.split(
        ',',
      ),
    )
  })

  it('has no drafts, and no dollars of what is in another currency', async () => {
    const { id } = await make('2026-11-07T18:00:00Z', 'Draft')
    const other = await make('2026-11-07T19:00:00Z', 'Euro')
    await ask(
      `update stripe_sandbox.objects set data = data || '{"status": "draft"}' where id = $1`,
      [id],
    )
    await ask(
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
        ...Array(11).fill(''),
        'Open',
        '€407.00',
        ' paid €0.00',
      ].map((cell) => expect.stringContaining(cell) as string),
    ])
  })

  it('tells of who was erased what remains, whatever the processor still knows', async () => {
    await make('2026-11-08T18:00:00Z', 'Kept')
    await make('2026-11-08T19:00:00Z', 'Gone')
    await ask(`update public.people set erased_at = now() where name in ('Kept', 'Gone')`)
    await ask(
      `update public.invoice_links set customer_name = 'Erased' where customer_name = 'Gone'`,
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

  it('has each of several hundred once, oldest first, also of one busy day', async () => {
    const { id } = await make('2026-06-01T18:00:00Z', 'Many')
    const day = Date.parse('2025-03-09T18:00:00Z') / 1000
    await copy(id, 230, `${day} + n`)
    await copy(id, 150, `${day} + 40 * 86400 + n * 90000`)
    shop.takeCalls()
    const rows = rowsOf((await file('invoices', '2025-01-01', '2025-12-31')).body)
    expect(rows).toHaveLength(380)
    const dates = rows.map(([, date = '']) => date)
    expect(dates).toEqual(dates.toSorted((one, other) => one.localeCompare(other)))
    expect(new Set(dates).size).toBe(151)
    expect(shop.takeCalls().length).toBeLessThan(30)
  })

  it('is a refusal when the processor is out of reach, and no whole file when it fails later', async () => {
    shop.breakCalls(({ path }) => (path === '/v1/invoices' ? 'before' : undefined))
    const refused = await file('invoices', '2025-01-01', '2025-12-31')
    expect([refused.statusCode, refused.json()]).toMatchObject([
      502,
      { code: 'INVOICES_UNREADABLE' },
    ])
    shop.breakCalls(undefined)
    shop.takeCalls()
    await file('invoices', '2025-01-01', '2025-12-31')
    let calls = shop.takeCalls().length
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

describe('a file for the accountant', () => {
  it.each([
    ['2026-02-01', '2026-01-31', 'The last day is before the first one.'],
    ['2026-02-29', '2026-03-01', 'Please choose the first day.'],
    [
      '2010-01-01',
      '2026-01-01',
      'Please choose ten years or less: a longer time takes several files.',
    ],
  ])('is refused in words from %s to %s', async (from, to, message) => {
    const response = await file('appointments', from, to)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { ok: false, code: 'BAD_RANGE', message },
    ])
  })

  it('is nobody’s but the admin’s', async () => {
    const payload = { kind: 'appointments', from: '2026-01-01', to: '2026-03-31' }
    const url = '/api/accountant/file'
    expect((await shop.inject({ method: 'POST', url, payload })).statusCode).toBe(401)
    const headers = { cookie, origin: 'https://elsewhere.example' }
    expect((await shop.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(403)
  })

  it.each([visitor, machine, stranger, admin])(
    'comes of records that $role may not list past the endpoint',
    async (identity) => {
      const list = (query: Query) =>
        query.unchecked(
          `select * from internal.list_appointment_records('2026-01-01', '00:00', gen_random_uuid(), '2026-12-31', 500)`,
        )
      expect((await refusalTo(shop.database.database, identity, list)).code).toBe('42501')
    },
  )

  it('is nothing else than one of its kinds', async () => {
    expect((await file('settings', '2026-01-01', '2026-01-31')).statusCode).toBe(400)
  })
})

describe('a long file', () => {
  const rows = 4_000
  let origin: string
  const open = (signal?: AbortSignal) =>
    fetch(`${origin}/api/accountant/file`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'appointments', from: '2001-01-01', to: '2009-12-31' }),
      ...(signal && { signal }),
    })
  /** Resolves when the next answer is over for the server, sent or not. */
  const nextIsOver = () =>
    new Promise((resolve) =>
      shop.app.server.once('request', (_, response: ServerResponse) =>
        response.once('close', resolve),
      ),
    )

  beforeAll(async () => {
    origin = await shop.listen()
    await ask('alter table public.bookings disable trigger link_to_person')
    await ask(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone)
       select (select id from public.services limit 1), date '2001-01-01' + n / 2, time '09:00' + n % 2 * interval '2 hours', 30,
         'No. ' || n, '(650) 555-0167' from generate_series(0, $1 - 1) n`,
      [rows],
    )
    await ask('alter table public.bookings enable trigger link_to_person')
  })

  it('has every row once, over all pages', async () => {
    const lines = linesOf(await (await open()).text())
    expect(lines).toHaveLength(rows + 1)
    expect(new Set(lines).size).toBe(rows + 1)
    expect(lines.filter((line) => line.startsWith('Date,'))).toHaveLength(1)
  })

  it('is nobody’s work any more once whoever asked has gone, and the next one’s turn', async () => {
    const gate = openGate()
    const pages = watchPages((nth) => (nth === 3 ? gate.pass() : undefined))
    const gone = new AbortController()
    const left = nextIsOver()
    const first = await open(gone.signal)
    await expect.poll(pages.count).toBe(3)
    const second = open()
    gone.abort()
    await expect(first.text()).rejects.toThrow('aborted')
    await left
    expect(pages.count()).toBe(3)
    gate.open()
    expect(linesOf(await (await second).text())).toHaveLength(rows + 1)
    // The other five pages of the first one were never read: the second one has eight, and one that is empty.
    expect(pages.count()).toBe(3 + 9)
  })

  it('does not look like a whole one when it fails on the way', async () => {
    const pages = watchPages((nth) => {
      if (nth === 3) throw new Error('down')
    })
    const response = await open()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(pages.count()).toBe(3)
    expect(linesOf(await (await open()).text())).toHaveLength(rows + 1)
  })

  it('is a refusal when it fails before it began', async () => {
    watchPages(() => {
      throw new Error('down')
    })
    const response = await open()
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { ok: false, code: 'INTERNAL_ERROR' },
    ])
  })
})

/** Something that goes on when told to. */
function openGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), pass: () => opened }
}

/** Is told before each page of appointments is read, and may hold it up or break it. */
function watchPages(onPage: (nth: number) => Promise<void> | undefined) {
  const { database } = shop.database
  const transaction = database.transaction.bind(database)
  let count = 0
  watched = vi.spyOn(database, 'transaction').mockImplementation((identity, work) =>
    transaction(identity, (query) =>
      work(
        queryBy(async (text, ...more) => {
          if (text.includes('list_appointment_records')) await onPage((count += 1))
          return query.unchecked(text, ...more)
        }),
      ),
    ),
  )
  return { count: () => count }
}
