import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest'
import { queryBy } from '@local/postgres'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
let cookie: string
let watched: MockInstance | undefined
const runQuery = (sql: string, values: unknown[] = []) => shop.database.owner.query(sql, values)

beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
})
afterEach(() => watched?.mockRestore())
afterAll(() => shop.close())

const linesOf = (text: string) => text.split('\r\n').slice(0, -1)

describe('a long file for the accountant', () => {
  const rows = 4_000
  let origin: string
  const open = (signal?: AbortSignal) =>
    fetch(`${origin}/api/accountant/file`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'appointments', from: '2001-01-01', to: '2009-12-31' }),
      ...(signal && { signal }),
    })
  /** Resolves when the next response is complete or its connection is closed. */
  const nextIsOver = () =>
    new Promise((resolve) =>
      shop.app.server.once('request', (_, response: ServerResponse) =>
        response.once('close', resolve),
      ),
    )

  beforeAll(async () => {
    origin = await shop.listen()
    await runQuery('alter table public.bookings disable trigger t50_link_to_customer')
    await runQuery(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone)
       select (select id from public.services limit 1), date '2001-01-01' + n / 2, time '09:00' + n % 2 * interval '2 hours', 30,
         'No. ' || n, '(650) 555-0167' from generate_series(0, $1 - 1) n`,
      [rows],
    )
    await runQuery('alter table public.bookings enable trigger t50_link_to_customer')
  })

  it('contains every row once, across all pages', async () => {
    const lines = linesOf(await (await open()).text())
    expect(lines).toHaveLength(rows + 1)
    expect(new Set(lines).size).toBe(rows + 1)
    expect(lines.filter((line) => line.startsWith('Date,'))).toHaveLength(1)
  })

  it('is read no further after its client disconnects; then the next request in the queue starts', async () => {
    const gate = openGate()
    const pages = watchPages((nth) => (nth === 3 ? gate.pass() : undefined))
    const aborting = new AbortController()
    const left = nextIsOver()
    const first = await open(aborting.signal)
    await expect.poll(pages.count).toBe(3)
    // The queue runs one export at a time and accepts three waiting requests. The first export is still running, so one
    // of the four further requests is refused.
    const others = Array.from({ length: 4 }, () => open())
    expect((await Promise.race(others)).status).toBe(503)
    aborting.abort()
    await expect(first.text()).rejects.toThrow('aborted')
    await left
    expect(pages.count()).toBe(3)
    gate.open()
    const responses = await Promise.all(
      others.map(async (other) => linesOf(await (await other).text())),
    )
    expect(responses.filter(({ length }) => length === rows + 1)).toHaveLength(3)
    // For the first request, the server reads three pages. For each of the three waiting requests, the server reads
    // eight pages with rows and an empty page.
    expect(pages.count()).toBe(3 + 3 * 9)
  })

  it('ends as an aborted download when a database read fails midway, so that the client recognizes the incomplete file', async () => {
    const pages = watchPages((nth) => {
      if (nth === 3) throw new Error('down')
    })
    const response = await open()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(pages.count()).toBe(3)
    expect(linesOf(await (await open()).text())).toHaveLength(rows + 1)
  })

  it('is replaced by an error response when a database read fails before the first byte is sent', async () => {
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

/** Creates a gate: `pass` returns a promise that resolves when the test calls `open`. */
function openGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), pass: () => opened }
}

/** Calls `onPage` before each database read of a page of appointments. `onPage` can delay the read or make it fail. */
function watchPages(onPage: (nth: number) => Promise<void> | undefined) {
  const { database } = shop.database
  const transaction = database.transaction.bind(database)
  let count = 0
  watched = vi.spyOn(database, 'transaction').mockImplementation((identity, work) =>
    transaction(identity, (query, actAs) =>
      work(
        queryBy(async (text, ...more) => {
          if (text.includes('list_appointment_records')) await onPage((count += 1))
          return query.unchecked(text, ...more)
        }),
        actAs,
      ),
    ),
  )
  return { count: () => count }
}
