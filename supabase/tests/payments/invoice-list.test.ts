import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceList, listedInvoice } from '#contracts/invoices/invoice-list.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, '2026-11-20T20:00:00Z')
  await add('in_open', { due: '2026-12-01' })
  await add('in_late', { due: '2026-11-19' })
  await add('in_part', { paid: 4000 })
  await add('in_paid', { paid: 10_000 })
  await add('in_elsewhere', { status: 'paid' })
  await add('in_lost', { status: 'uncollectible' })
  await add('in_void', { status: 'void' })
})
afterAll(() => shop.drop())

async function add(
  id: string,
  {
    status = 'open',
    due = null,
    paid = 0,
  }: { status?: string; due?: string | null; paid?: number },
): Promise<void> {
  await shop.owner.query(
    `insert into public.invoices (invoice_id, number, customer_name, total_cents, currency, status, created_at, due_date)
     values ($1, upper($1), 'Dana Whitfield', 10000, 'usd', $2, now(), $3)`,
    [id, status, due],
  )
  if (paid === 0) return
  await shop.owner.query(
    `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
     values ($1, 'payment', 'cash', $2, 'usd', '2026-11-20T18:00:00Z')`,
    [id, paid],
  )
}

const asAdmin = async (sql: string, values: unknown[] = []): Promise<unknown> => {
  const rows = await shop.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return rows[0]?.result
}
const list = async (filter: string) =>
  invoiceList.parse(await asAdmin('public.list_invoices($1, 50)', [filter]))

describe('the invoice list', () => {
  it.each([
    ['open', ['in_late', 'in_open', 'in_part']],
    ['past_due', ['in_late']],
    ['paid', ['in_elsewhere', 'in_paid']],
    ['written_off', ['in_lost']],
    ['void', ['in_void']],
    ['all', ['in_elsewhere', 'in_late', 'in_lost', 'in_open', 'in_paid', 'in_part', 'in_void']],
  ])('returns exactly the invoices that match the filter %s', async (filter, ids) => {
    const { invoices } = await list(filter)
    expect(invoices.map(({ id }) => id).toSorted()).toEqual(ids)
  })

  it('returns the total outstanding balance and the total received today', async () => {
    const { counts, received, today } = await list('void')
    expect(today).toBe('2026-11-20')
    expect(counts).toEqual({
      open: 3,
      openCents: 26_000,
      pastDue: 1,
      pastDueCents: 10_000,
      partPaid: 1,
      partPaidCents: 4000,
    })
    expect(received).toEqual({
      receivedCents: 14_000,
      payments: 2,
      refunds: 0,
      methods: [{ method: 'cash', cents: 14_000 }],
    })
  })

  it('shows the balance and the state that follow from the invoice’s payments in the ledger', async () => {
    const read = async (id: string) =>
      listedInvoice.parse(await asAdmin('public.read_listed_invoice($1)', [id]))
    expect(await read('in_part')).toMatchObject({
      state: 'part_paid',
      paidCents: 4000,
      balanceCents: 6000,
    })
    expect(await read('in_elsewhere')).toMatchObject({ state: 'paid', balanceCents: 0 })
    expect(await asAdmin('public.read_listed_invoice($1)', ['in_unknown'])).toBeNull()
  })
})
