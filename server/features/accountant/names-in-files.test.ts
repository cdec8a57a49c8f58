import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { addFollowingLine, takePayment } from '#tests/support/database/ledger-lines.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: PaymentApp
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
  await takeOneOfEach()
})
afterAll(() => shop.close())

const asAna = (sql: string, values: unknown[]) =>
  shop.database.database.transaction(admin, (query) => query.unchecked(`select ${sql}`, values))

/** The account 'ana' records a payment and its refund, writes off an invoice, closes the day and records a deposit. */
async function takeOneOfEach(): Promise<void> {
  const customer = { name: 'Dana', email: `${randomUUID()}@example.com`, phone: '' }
  const { id: invoiceId } = await shop.createInvoice({ customer })
  const at = new Date().toISOString()
  const payment = await takePayment(shop.database, at, { invoiceId, amountCents: 10_000 })
  await addFollowingLine(shop.database, payment, at, {
    kind: 'refund',
    method: 'cash',
    cents: -1_000,
  })
  await asAna('public.write_off_invoice($1, $2)', [invoiceId, 'Moved away'])
  const estimates = createEstimateClient(shop.database)
  const job = estimateJob()
  const estimateId = await estimates.write(estimateDocument([job], { customer }))
  await estimates.record(estimateId, { [job.key]: 'approved' })
  await asAna('public.ask_deposit($1, null, 50)', [estimateId])
  await asAna(`public.take_deposit($1, 'check', 5000, null, '1042', null)`, [estimateId])
  await asAna('public.close_day($1)', [await countedDay()])
}

/** Returns the input for closing the current business day, with a counted cash that equals the expected cash. */
async function countedDay(): Promise<string> {
  const { rows } = await shop.database.owner.query<{ date: string; expected: string }>(
    `select business_date::text as date, 10000 + sum(amount_cents) filter (where method = 'cash') as expected
     from public.payments group by business_date`,
  )
  const [day] = rows
  if (!day) throw new Error('Nothing was paid')
  const expected = Number(day.expected)
  return JSON.stringify({
    date: day.date,
    startCents: 10_000,
    counted: { 100: expected / 100 },
    seenExpectedCents: expected,
    terminalCents: null,
    checkCents: 5_000,
    reason: null,
    note: null,
    remainsCents: 10_000,
  })
}

/** Exports a file and returns the names of team members in one of its columns. */
async function namesIn(kind: string, column: string): Promise<(string | undefined)[]> {
  const year = new Date().getFullYear()
  const response = await shop.inject({
    method: 'POST',
    url: '/api/accountant/file',
    headers: { cookie },
    payload: { kind, from: `${year - 1}-01-01`, to: `${year + 1}-12-31` },
  })
  const [head, ...lines] = response.body.split('\r\n').slice(0, -1)
  const nth = head?.split(',').indexOf(column) ?? -1
  return lines.map((line) => line.split(',')[nth])
}

const files = [
  ['payments', 'Recorded by', 2],
  ['refunds', 'Recorded by', 1],
  ['deposits', 'Recorded by', 1],
  ['write-offs', 'Recorded by', 1],
  ['day-closes', 'Closed by', 1],
] as const

it.each(files)(
  'The file of %s shows in each row the name of the team member who made the entry',
  async (kind, column, count) => {
    await shop.database.owner.query(
      `update public.staff_accounts set name = 'Ana Ruiz', created_at = '2020-01-01' where username = 'ana'`,
    )
    expect(await namesIn(kind, column)).toEqual(Array.from({ length: count }, () => 'Ana Ruiz'))
  },
)

it.each(files)(
  'The file of %s shows the username instead of the name in rows that are older than the staff account',
  async (kind, column, count) => {
    await shop.database.owner.query(
      `update public.staff_accounts set name = 'Ana Ruiz', created_at = now() + interval '1 day' where username = 'ana'`,
    )
    expect(await namesIn(kind, column)).toEqual(Array.from({ length: count }, () => 'ana'))
  },
)
