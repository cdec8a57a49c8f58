import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Database, queryBy } from '@local/postgres'
import { idOf } from '../stripe.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { reconcilePayments } from './reconcile-payments.ts'
import { settlePayment } from './settle-payment.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

/**
 * The test cases: the amounts in cents of the checkouts that were paid before the settlement began, and the expected
 * results of the settlement.
 */
const arrivals = {
  'one payment': { checkouts: [40_700], outcomes: ['applied'], receipts: 1, notices: 0 },
  'two payments': {
    checkouts: [40_700, 40_700],
    outcomes: ['applied', 'refunded'],
    receipts: 1,
    notices: 1,
  },
  'one payment of too much': {
    checkouts: [50_000],
    outcomes: ['overpaid'],
    receipts: 1,
    notices: 1,
  },
} as const
type Arrival = (typeof arrivals)[keyof typeof arrivals]

async function arrive({ checkouts }: Arrival): Promise<string> {
  // Each invoice has its own customer, because Stripe credits an overpayment to the customer's next invoice.
  const email = `payer.${randomUUID()}@example.com`
  const { id } = await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })
  const { customer } = await shop.stripe.invoices.retrieve(id)
  const urls: string[] = []
  for (const cents of checkouts) {
    const price_data = { currency: 'usd', unit_amount: cents, product_data: { name: 'x' } }
    const session = await shop.stripe.checkout.sessions.create({
      mode: 'payment',
      customer: idOf(customer),
      metadata: { invoice_id: id },
      line_items: [{ quantity: 1, price_data }],
      success_url: shop.config.publicUrl,
      cancel_url: shop.config.publicUrl,
    })
    urls.push(session.url ?? '')
  }
  for (const url of urls) await shop.payByCard(url)
  return id
}

/** Reads what Stripe, the payments table and the outbox contain about the payments of an invoice. */
async function readSettlement(invoiceId: string) {
  const invoice = await shop.stripe.invoices.retrieve(invoiceId)
  const credited = await shop.stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid' })
  const rows = (await shop.ledger()).filter((row) => row.invoice_id === invoiceId)
  const refunds = await Promise.all(
    rows.map((row) => shop.stripe.refunds.list({ payment_intent: row.payment_intent_id })),
  )
  const emails = (await shop.database.owner.query('select * from public.emails')).rows
  const notices = await shop.database.owner.query(
    'select from internal.owner_notices where position($1 in line) > 0',
    [invoice.number],
  )
  const mine = emails.filter((email) => email.invoice_id === invoiceId)
  return {
    status: invoice.status,
    credited: credited.data.length,
    outcomes: rows.map((row) => row.outcome).sort(),
    refunds: refunds.flatMap((list) => list.data).length,
    receipts: mine.filter((email) => email.kind === 'payment_receipt').length,
    notices: notices.rows.length,
  }
}

const agreed = ({ outcomes, receipts, notices }: Arrival) => ({
  status: 'paid',
  credited: 1,
  outcomes: [...outcomes],
  refunds: outcomes.filter((outcome) => (outcome as string) === 'refunded').length,
  receipts,
  notices,
})

const reconcile = () =>
  reconcilePayments(shop.context, (_id, error) => {
    throw error
  })

describe.each(Object.entries(arrivals))('settling %s', (_name, arrival) => {
  it('the settlement of a payment has the same result at Stripe, in the payments table and in the outbox, however often it runs', async () => {
    const id = await arrive(arrival)
    await Promise.all([settlePayment(shop.context, id), settlePayment(shop.context, id)])
    await settlePayment(shop.context, id)
    expect(await readSettlement(id)).toEqual(agreed(arrival))
  })
})

// Omits the first case (one payment), because the other cases include all of its steps.
describe.each(Object.entries(arrivals).slice(1))('settling %s with crashes', (_name, arrival) => {
  it('the settlement of a payment is completed by the reconciliation job after a crash before or after any call to Stripe', async () => {
    const probe = await arrive(arrival)
    shop.drainCalls()
    await settlePayment(shop.context, probe)
    const calls = shop.drainCalls().length
    expect(calls).toBeGreaterThan(5)
    for (let index = 0; index < calls; index += 1) {
      for (const timing of ['before', 'after'] as const) {
        const id = await arrive(arrival)
        let count = -1
        shop.breakCalls(() => ((count += 1) === index ? timing : undefined))
        await settlePayment(shop.context, id).catch(() => undefined)
        shop.breakCalls(undefined)
        await reconcile()
        expect({ index, timing, ...(await readSettlement(id)) }).toEqual({
          index,
          timing,
          ...agreed(arrival),
        })
      }
    }
  }, 120_000)

  it('the settlement of a payment is completed by the reconciliation job after a crash at any database statement or at the commit', async () => {
    const probe = await arrive(arrival)
    const counting = crashingAt(shop.context.database, Number.POSITIVE_INFINITY)
    await settlePayment({ ...shop.context, database: counting.database }, probe)
    expect(counting.statements()).toBeGreaterThan(5)
    for (let index = 0; index <= counting.statements(); index += 1) {
      const id = await arrive(arrival)
      const { database } = crashingAt(shop.context.database, index)
      await expect(settlePayment({ ...shop.context, database }, id)).rejects.toThrow('died')
      await reconcile()
      expect({ index, ...(await readSettlement(id)) }).toEqual({ index, ...agreed(arrival) })
    }
  }, 120_000)
})

/**
 * Creates a database client that simulates a crash of the process at the SQL statement with the number `fatal`. The
 * commit has the number after the last statement.
 */
function crashingAt(
  database: Database,
  fatal: number,
): { database: Database; statements(): number } {
  let count = 0
  const crash = () => {
    throw new Error('The process died')
  }
  return {
    statements: () => count,
    database: {
      ...database,
      transaction: (identity, work) =>
        database.transaction(identity, async (query, actAs) => {
          const result = await work(
            queryBy(async (sql, values, name) => {
              if (count === fatal) crash()
              count += 1
              return query.unchecked(sql, values, name)
            }),
            actAs,
          )
          if (count === fatal) crash()
          return result
        }),
    },
  }
}

describe('the reconciliation job', () => {
  it('settles payments that no webhook reported, and a second run changes nothing', async () => {
    const id = await arrive(arrivals['one payment'])
    expect(await reconcile()).toBe(1)
    expect(await readSettlement(id)).toEqual(agreed(arrivals['one payment']))
    expect(await reconcile()).toBe(0)
  })

  it('settles the other invoices even if one invoice cannot be settled', async () => {
    const broken = await arrive(arrivals['one payment'])
    const fine = await arrive(arrivals['one payment'])
    shop.breakCalls(({ path }) => (path.includes(`/${broken}/`) ? 'before' : undefined))
    const failures: string[] = []
    await reconcilePayments(shop.context, (invoiceId) => failures.push(invoiceId))
    expect(failures).toEqual([broken])
    expect(await readSettlement(fine)).toEqual(agreed(arrivals['one payment']))
    shop.breakCalls(undefined)
    expect(await reconcile()).toBe(1)
  })

  it("records payments that were made on Stripe's own invoice page", async () => {
    const { id } = await shop.createInvoice()
    await shop.stripe.invoices.pay(id, { payment_method: 'pm_card_visa' })
    expect(await reconcile()).toBe(1)
    expect(await readSettlement(id)).toEqual(agreed(arrivals['one payment']))
  })

  it('sends no receipt for an invoice that was paid outside Stripe', async () => {
    const { id } = await shop.createInvoice()
    await shop.stripe.invoices.pay(id, { paid_out_of_band: true })
    await settlePayment(shop.context, id)
    expect(await readSettlement(id)).toMatchObject({ status: 'paid', outcomes: [], receipts: 0 })
  })
})
