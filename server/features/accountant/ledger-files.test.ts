import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import {
  addFollowingLine,
  recordOnlinePayment,
  takePayment,
} from '#tests/support/database/ledger-lines.ts'

let shop: PaymentApp
let cookie: string
const runQuery = (sql: string, values: unknown[] = []) => shop.database.owner.query(sql, values)

beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
})
afterEach(() => runQuery('update public.booking_rules set rounds_cash = false'))
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

/** Creates an invoice of $407.00 for a new customer. */
const makeInvoice = (name: string) =>
  shop.createInvoice({ customer: { name, email: `${randomUUID()}@example.com`, phone: '' } })

const payOnline = (invoiceId: string, at: string, change: object = {}) =>
  recordOnlinePayment(shop.database, at, { invoiceId, amountCents: 40_700, ...change })

describe('the payments file', () => {
  const head =
    'Business date,Date,Time,Invoice,Customer,Method,Reference,Amount (USD),Rounding (USD),In another currency,Currency,' +
    'Recorded by,Payment id'

  it('lists each payment of the business dates with its cash rounding and its time in the shop’s time zone', async () => {
    const { id: invoiceId, number } = await makeInvoice('=Formula()')
    const take = (
      at: string,
      change: { amountCents: number; method?: string; reference?: string },
    ) => takePayment(shop.database, at, { invoiceId, ...change })
    await runQuery('update public.booking_rules set rounds_cash = true')
    const check = { method: 'check', reference: '+1042', amountCents: 20_000 }
    const terminal = { method: 'card_terminal', reference: '4242', amountCents: 698 }
    // The first payment is taken at 11:59:59 PM in shop time, the second at midnight, and the third after the end of
    // daylight saving time.
    const [first, second, third] = [
      await take('2026-10-31T06:59:59Z', check),
      await take('2026-10-31T07:00:00Z', terminal),
      await take('2026-11-01T18:30:00Z', { amountCents: 20_002 }),
    ]
    await payOnline(invoiceId, '2026-11-02T18:30:00Z')
    expect(await linesOf('payments', '2026-10-30', '2026-11-01')).toEqual([
      head,
      `2026-10-30,2026-10-30,23:59,${number},'=Formula(),Check,'+1042,200.00,0.00,,USD,ana,${first}`,
      `2026-10-31,2026-10-31,00:00,${number},'=Formula(),"Card, terminal",4242,6.98,0.00,,USD,ana,${second}`,
      `2026-11-01,2026-11-01,10:30,${number},'=Formula(),Cash,,200.00,0.02,,USD,ana,${third}`,
    ])
    expect(await linesOf('payments', '2026-10-29')).toEqual([])
  })

  it('has empty dollar columns for payments in other currencies, and includes a payment whose invoice is unknown', async () => {
    const currency = { currency: 'eur' }
    const id = await payOnline('in_elsewhere', '2026-08-01T19:00:00Z', currency)
    expect(await linesOf('payments', '2026-08-01')).toEqual([
      head,
      `2026-08-01,2026-08-01,12:00,in_elsewhere,,"Card, online",,,,€407.00,EUR,,${id}`,
    ])
  })

  it('contains every payment once, across all pages, when many have the same time', async () => {
    await runQuery(
      `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
       select 'in_' || n, 'payment', 'cash', 100, 'usd', '2026-07-01T19:00:00.123456Z'::timestamptz + n / 700 * interval '1 microsecond'
       from generate_series(1000, 2400) n`,
    )
    const lines = await linesOf('payments', '2026-07-01')
    expect(lines).toHaveLength(1402)
    expect(new Set(lines).size).toBe(1402)
    expect(lines[0]).toBe(head)
  })
})

describe('the refunds file', () => {
  const head =
    'Business date,Date,Time,Kind,Invoice,Customer,Method,Reference,Amount (USD),Customer credit (USD),Rounding (USD),' +
    'In another currency,Currency,Recorded by,Payment date,Payment method,Payment reference,Payment id'

  it('lists each refund, reversal and customer credit together with the original payment', async () => {
    const { id: invoiceId, number } = await makeInvoice('Dana')
    await runQuery('update public.booking_rules set rounds_cash = true')
    const check = await takePayment(shop.database, '2026-09-01T19:00:00Z', {
      invoiceId,
      method: 'check',
      reference: '1042',
      amountCents: 10_698,
    })
    const cash = await takePayment(shop.database, '2026-09-01T20:00:00Z', {
      invoiceId,
      amountCents: 30_002,
    })
    const add = addFollowingLine.bind(undefined, shop.database)
    const returned = {
      kind: 'refund',
      method: 'cash',
      cents: -5_005,
      reference: '@drawer',
    } as const
    const refund = await add(check, '2026-09-02T19:00:00Z', returned)
    await add(refund, '2026-09-02T21:00:00Z', { kind: 'reversal', method: 'cash', cents: 5 })
    await add(check, '2026-09-02T20:00:00Z', { kind: 'reversal', method: 'check', cents: -5_693 })
    await add(cash, '2026-09-03T19:00:00Z', { kind: 'refund', method: 'cash', cents: -30_000 })
    await add(cash, '2026-09-03T19:00:00Z', { kind: 'cash_rounding', method: 'cash', cents: -2 })
    const online = await payOnline(invoiceId, '2026-09-04T19:00:00Z', { overpaidCents: 300 })
    const lines = await linesOf('refunds', '2026-09-02', '2026-09-04')
    const dana = `${number},Dana`
    expect([lines[0], ...lines.slice(1).toSorted()]).toEqual([
      head,
      `2026-09-02,2026-09-02,12:00,Refund,${dana},Cash,'@drawer,-50.05,,,,USD,ana,2026-09-01,Check,1042,${check}`,
      `2026-09-02,2026-09-02,13:00,Reversal,${dana},Check,,-56.93,,,,USD,ana,2026-09-01,Check,1042,${check}`,
      `2026-09-02,2026-09-02,14:00,Reversal,${dana},Cash,,0.05,,,,USD,ana,2026-09-01,Check,1042,${check}`,
      `2026-09-03,2026-09-03,12:00,Cash rounding,${dana},Cash,,,,-0.02,,USD,ana,2026-09-01,Cash,,${cash}`,
      `2026-09-03,2026-09-03,12:00,Refund,${dana},Cash,,-300.00,,,,USD,ana,2026-09-01,Cash,,${cash}`,
      `2026-09-04,2026-09-04,12:00,Customer credit,${dana},"Card, online",,,-3.00,,,USD,,2026-09-04,"Card, online",,${online}`,
    ])
    expect(await linesOf('refunds', '2026-09-01')).toEqual([])
  })

  it('begins no amount in another currency with a character that makes a spreadsheet program run the cell as a formula', async () => {
    const refund = { currency: 'eur', refundId: `re_${randomUUID()}` }
    const id = await payOnline('in_elsewhere', '2026-08-02T19:00:00Z', refund)
    expect(await linesOf('refunds', '2026-08-02')).toEqual([
      head,
      `2026-08-02,2026-08-02,12:00,Refund,in_elsewhere,,"Card, online",,,,,−€407.00,EUR,,2026-08-02,"Card, online",,${id}`,
    ])
  })
})

describe('the invoices file', () => {
  const money = async (day: string) =>
    (await linesOf('invoices', day)).slice(1).map((line) => line.split(',').slice(13, 19).join())

  const correct = (call: string, invoiceId: string) =>
    shop.database.database.transaction(admin, (query) =>
      query.unchecked(`select ${call}`, [invoiceId, 'Agreed with the customer']),
    )

  it('shows the credit notes, the paid amount and the balance from the shop’s ledger, even before the ledger entries are reported to Stripe', async () => {
    shop.clock.now = Date.parse('2026-06-01T18:00:00Z')
    const [part, all, back] = [
      await makeInvoice('Part'),
      await makeInvoice('All'),
      await makeInvoice('Back'),
    ]
    const pay = (invoiceId: string, at: string, amountCents: number) =>
      takePayment(shop.database, at, { invoiceId, amountCents })
    await pay(part.id, '2026-06-02T19:00:00Z', 10_001)
    await correct('public.correct_invoice_price($1, 5000, $2)', part.id)
    await pay(all.id, '2026-06-02T19:00:00Z', 40_000)
    await pay(all.id, '2026-06-04T06:59:59Z', 700)
    await pay(back.id, '2026-06-02T19:00:00Z', 20_000)
    await correct('internal.cancel_invoice($1, $2)', back.id)
    expect((await money('2026-06-01')).toSorted()).toEqual([
      '407.00,0.00,407.00,0.00,2026-06-03,Open',
      '407.00,407.00,0.00,0.00,,Open',
      '407.00,50.00,100.01,256.99,,Open',
    ])
  })

  it('shows the date of a payment that only Stripe recorded, if a later payment in the shop’s ledger was refunded', async () => {
    shop.clock.now = Date.parse('2026-04-01T18:00:00Z')
    const { id } = await makeInvoice('Twice')
    await shop.stripe.invoices.pay(id, { paid_out_of_band: true })
    await runQuery(`update public.invoices set status = 'paid' where invoice_id = $1`, [id])
    await payOnline(id, '2026-04-03T19:00:00Z', { refundId: `re_${randomUUID()}` })
    expect(await money('2026-04-01')).toEqual(['407.00,0.00,407.00,0.00,2026-04-01,Paid'])
  })

  it('shows Stripe’s data about an invoice that the shop’s database does not contain', async () => {
    shop.clock.now = Date.parse('2026-05-01T18:00:00Z')
    const { id } = await makeInvoice('Unknown')
    await shop.stripe.invoices.pay(id, { paid_out_of_band: true })
    await runQuery(`set shop.ledger_exception = 'sample_week_removal'; delete from public.invoices where invoice_id = '${id}';
      reset shop.ledger_exception`)
    expect(await money('2026-05-01')).toEqual(['407.00,0.00,407.00,0.00,2026-05-01,Paid'])
  })
})
