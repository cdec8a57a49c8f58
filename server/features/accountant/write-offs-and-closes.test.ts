import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { takePayment } from '#tests/support/database/ledger-lines.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

let shop: PaymentApp
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
})
afterAll(() => shop.close())

async function linesOf(kind: string, from: string, to = from): Promise<string[]> {
  const response = await shop.inject({
    method: 'POST',
    url: '/api/accountant/file',
    headers: { cookie },
    payload: { kind, from, to },
  })
  return response.body
    .replace(/^\u{feff}/u, '')
    .split('\r\n')
    .slice(0, -1)
}

const asAdmin = (sql: string, values: unknown[]) =>
  shop.database.database.transaction(admin, (query) => query.unchecked(`select ${sql}`, values))
const makeInvoice = (name: string) =>
  shop.createInvoice({ customer: { name, email: `${randomUUID()}@example.com`, phone: '' } })

describe('the file of write-offs', () => {
  it('states the balance that an invoice had at the write-off, and the current balance of the invoice', async () => {
    const { id, number } = await makeInvoice('Dana')
    const { owner } = shop.database
    await takePayment(shop.database, '2026-11-27T18:00:00Z', { invoiceId: id, amountCents: 10_000 })
    await asAdmin('public.write_off_invoice($1, $2)', [id, '=Moved away'])
    // Sets the time of the write-off to one minute from now, then reads the date and time of the write-off in shop
    // time.
    await owner.query('alter table public.invoice_events disable trigger prevent_history_change')
    await owner.query(`update public.invoice_events set happened_at = now() + interval '1 minute'`)
    await owner.query('alter table public.invoice_events enable trigger prevent_history_change')
    const { rows } = await owner.query<{ day: string; time: string }>(
      `select to_char(happened_at at time zone 'America/Los_Angeles', 'YYYY-MM-DD') as day,
         to_char(happened_at at time zone 'America/Los_Angeles', 'HH24:MI') as time from public.invoice_events`,
    )
    const [event] = rows
    if (!event) throw new Error('The write-off was not recorded')
    const head =
      'Date,Time,Invoice,Customer,Written off (USD),Balance now (USD),In another currency,Reason,Recorded by'
    const line = `${event.day},${event.time},${number},Dana,307.00,307.00,,'=Moved away,ana`
    expect(await linesOf('write-offs', event.day)).toEqual([head, line])
    expect(await linesOf('write-offs', '2026-01-01', '2026-01-31')).toEqual([])
  })
})

describe('the file of day closes', () => {
  it('states the expected cash, the counted cash, the difference, the rounding and the corrections of each day', async () => {
    const { id: invoiceId } = await shop.createInvoice({
      customer: { name: 'Maria', email: `${randomUUID()}@example.com`, phone: '' },
      lineItems: [{ description: 'Oil', amount: '10.03', quantity: 1 }],
    })
    const { owner } = shop.database
    await owner.query('update public.booking_rules set rounds_cash = true')
    await takePayment(shop.database, '2026-10-05T18:00:00Z', { invoiceId, amountCents: 1003 })
    await owner.query('update public.booking_rules set rounds_cash = false')
    await setShopClock(owner, '2026-10-06T01:30:00Z')
    await asAdmin('public.close_day($1)', [
      JSON.stringify({
        date: '2026-10-05',
        startCents: 10_000,
        counted: { 10000: 1, 500: 2 },
        seenExpectedCents: 11_005,
        terminalCents: 0,
        checkCents: null,
        reason: 'wrong_change',
        note: null,
        remainsCents: 10_000,
      }),
    ])
    const { rows } = await owner.query<{ id: string }>('select id from public.day_closes')
    await asAdmin('public.correct_close($1, $2, $3)', [rows[0]?.id, 5, 'Found a nickel'])
    expect(await linesOf('day-closes', '2026-10-05')).toEqual([
      'Business date,Drawer,Start (USD),Cash expected (USD),Cash counted (USD),Cash difference (USD),Terminal expected (USD),' +
        'Terminal difference (USD),Checks expected (USD),Checks difference (USD),Cash rounding (USD),' +
        'Stays in the drawer (USD),To the bank (USD),Corrected later (USD),Reason,Note,Closed by,Closed on,Closed at',
      '2026-10-05,Counter,100.00,110.05,110.00,-0.05,0.00,0.00,0.00,,-0.02,100.00,10.00,0.05,Wrong change given,,ana,2026-10-05,18:30',
    ])
    expect(await linesOf('day-closes', '2026-10-06', '2026-10-31')).toEqual([])
  })
})
