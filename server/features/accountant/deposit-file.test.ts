import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { playDepositHistory } from '#tests/support/app/deposit-history.ts'
import { seeded } from '#tests/support/database/vehicle-model.ts'
import { reportToStripe } from '#server/features/payments/reports/report-to-stripe.ts'
import { testAdmin } from '#tests/support/app/app.ts'

let shop: PaymentApp
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logInConfirmed()
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterAll(() => shop.close())

async function rowsOf(kind: string): Promise<string[][]> {
  const day = new Date().toISOString().slice(0, 10)
  const [from, to] = [day.replace(/^\d+/, '2020'), day.replace(/^\d+/, '2029')]
  const response = await shop.inject({
    method: 'POST',
    url: '/api/accountant/file',
    headers: { cookie },
    payload: { kind, from, to },
  })
  const lines = response.body.split('\r\n').slice(1, -1)
  return lines.map((line) => line.replaceAll(/"[^"]*"/g, 'quoted').split(','))
}

it('The amounts in the file of deposits add up to the deposits that the shop holds, after any sequence of payments and corrections', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    await playDepositHistory(shop, seeded(seed))
    const { rows } = await shop.database.owner.query<{ held: string }>(
      `select coalesce(sum(internal.left_cents(line)), 0) as held from public.payments line
       where line.kind = 'payment' and line.estimate_id is not null`,
    )
    const deposits = await rowsOf('deposits')
    const cents = deposits.reduce((sum, row) => sum + Number((row[9] ?? '').replace('.', '')), 0)
    expect(cents).toBe(Number(rows[0]?.held))
  }
  const kinds = new Set((await rowsOf('deposits')).map((row) => row[3]))
  expect(kinds).toEqual(new Set(['Taken', 'Reversed', 'Refunded', 'Applied to the invoice']))
  // The row of a deposit and the row of its refund contain the number of the estimate. A deposit that is applied to an
  // invoice adds no row, because no money moves.
  const [payments, refunds] = [await rowsOf('payments'), await rowsOf('refunds')]
  expect(payments.every((row) => row[3]?.startsWith('E-'))).toBe(true)
  expect(refunds.every((row) => row[4]?.startsWith('E-'))).toBe(true)
  expect(new Set(refunds.map((row) => row[3]))).toEqual(new Set(['Refund', 'Reversal']))
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}, 60_000)

it('The file of deposits has a row for a deposit that was removed from the invoice to which it had been applied', async () => {
  const before = (await rowsOf('deposits')).length
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `select id from public.payments where kind = 'applied_deposit' limit 1`,
  )
  await shop.database.owner.query(
    `insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at)
     select invoice_id, kind, method, id, -amount_cents, currency, now() from public.payments where id = $1`,
    [rows[0]?.id],
  )
  const after = await rowsOf('deposits')
  expect(after).toHaveLength(before + 1)
  expect(after.filter((row) => row[3] === 'Removed from the invoice')).toHaveLength(1)
  const held = after.reduce((sum, row) => sum + Number((row[9] ?? '').replace('.', '')), 0)
  expect(held).toBeGreaterThan(0)
})
