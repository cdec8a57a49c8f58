import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeDispute, openDispute } from '@local/stripe-sandbox/testing/disputes'
import { failRefund } from '@local/stripe-sandbox/testing/refund-outcomes'
import { deposit as depositSchema } from '#contracts/payments/deposits.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { makeReplacements } from '../reports/make-replacements.ts'
import { reportToStripe } from '../reports/report-to-stripe.ts'
import { reconcilePayments } from '../settlement/reconcile-payments.ts'
import { idOf } from '../stripe.ts'

let shop: PaymentApp
let client: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  shop = await createPaymentApp()
  client = createEstimateClient(shop.database)
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

/** The total of the only job of an estimate, in cents. */
const full = 29_295

/** Creates a sent estimate with a requested deposit. Returns the estimate and the path of its page. */
async function sent(cents: number | null = 15_000, percent: number | null = null) {
  const job = estimateJob()
  const customer = { name: 'Maria Delgado', email: `${randomUUID()}@example.com`, phone: '' }
  const id = await client.write(estimateDocument([job], { customer }))
  await client.call(admin, 'public.ask_deposit($1, $2, $3)', [id, cents, percent])
  await client.freeze(id)
  return { id, path: await client.path(id), key: job.key, email: customer.email }
}

const open = (url: string) => shop.inject({ method: 'GET', url })
const post = (url: string, fields: Record<string, string> = {}) =>
  shop.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const locationOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['location'])

/** Submits the customer's approval of the estimate's only job. Returns the redirect URL. */
async function approve({ id, path, key }: { id: string; path: string; key: string }) {
  const { revisionHash: revision } = await client.sentRevision(id)
  const fields = { revision, [`job-${key}`]: 'approve', shown: String(full), decidedBy: 'Maria' }
  return locationOf(await post(`${path}/approve`, fields))
}
/** Pays on the checkout page. Returns the path to which the customer is redirected. */
const pay = async (checkoutUrl: string) => {
  const back = new URL((await shop.payByCard(checkoutUrl)) ?? '')
  return `${back.pathname}${back.search}`
}

const readDeposit = async (id: string) =>
  depositSchema.parse(await client.call(admin, 'public.read_deposit($1)', [id]))
const linesOf = async (id: string) =>
  (await readDeposit(id)).lines.map(({ kind, method, amountCents }) => [kind, method, amountCents])
const take = (estimateId: string) =>
  shop.post('/api/commands/take-deposit', {
    commandId: randomUUID(),
    input: {
      estimateId,
      method: 'cash',
      amountCents: 15_000,
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
    },
  })
async function bill(estimateId: string): Promise<string> {
  const seenVersion = await client.version(estimateId)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
  return (body['invoice'] as { id: string }).id
}
async function report(): Promise<void> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}
const reconcile = () =>
  reconcilePayments(shop.context, (_id, error) => {
    throw error
  })
const read = async (invoiceId: string) =>
  client.call<{ balanceCents: number; state: string; ledger: { kind: string }[] }>(
    admin,
    'public.read_invoice($1)',
    [invoiceId],
  )
/** Returns the only completed Stripe payment of a customer. */
async function intentOf(email: string) {
  const [customer] = (await shop.stripe.customers.list({ email })).data
  const intents = await shop.stripe.paymentIntents.list({ customer: idOf(customer ?? null) })
  const intent = intents.data.find(({ status }) => status === 'succeeded')
  if (!intent) throw new Error('The customer has no payment')
  return intent
}
/** Lists the amounts that Stripe refunded to a customer. */
async function refundedAtStripe(email: string): Promise<number[]> {
  const [customer] = (await shop.stripe.customers.list({ email })).data
  const intents = await shop.stripe.paymentIntents.list({ customer: idOf(customer ?? null) })
  const sums = await Promise.all(
    intents.data.map(async ({ id }) => {
      const refunds = await shop.stripe.refunds.list({ payment_intent: id })
      return refunds.data.reduce((sum, { amount }) => sum + amount, 0)
    }),
  )
  return sums.filter((cents) => cents > 0)
}

describe('the estimate page with a requested deposit', () => {
  it('records the approval, redirects to the payment page, and shows the paid deposit afterwards', async () => {
    const estimate = await sent()
    const page = await open(estimate.path)
    expect(page.body).toContain('Approve and pay $150.00')
    expect(page.body).toContain('$142.95')
    const checkout = await approve(estimate)
    expect(checkout).toContain('/sandbox/checkout/')
    expect(await readDeposit(estimate.id)).toMatchObject({ state: 'open', approvedCents: full })
    const back = await pay(checkout)
    expect(back.startsWith(estimate.path)).toBe(true)
    expect(locationOf(await open(back))).toBe(estimate.path)
    expect((await open(estimate.path)).body).toContain('Approved. Your deposit is here.')
    expect(await linesOf(estimate.id)).toEqual([['payment', 'card_online', 15_000]])
    await shop.deliverEvents()
    expect(await linesOf(estimate.id)).toHaveLength(1)
  })

  it('shows the due deposit to a customer who returns without paying', async () => {
    const estimate = await sent(null, 30)
    await approve(estimate)
    const page = await open(estimate.path)
    expect(page.body).toContain('You approved $292.95. The deposit is not paid yet.')
    expect(page.body).toContain('Pay $87.89 deposit')
    const checkout = locationOf(await post(`${estimate.path}/deposit`))
    await open(await pay(checkout))
    expect(await linesOf(estimate.id)).toEqual([['payment', 'card_online', 8789]])
    // The deposit button in another tab that is still open does not start a second payment.
    expect(locationOf(await post(`${estimate.path}/deposit`))).toBe(estimate.path)
  })

  it('stores the approval even if a call to the payment provider fails', async () => {
    for (const timing of ['before', 'after'] as const) {
      for (const call of ['/v1/customers', '/v1/checkout/sessions']) {
        const estimate = await sent()
        shop.breakCalls(({ method, path }) =>
          method === 'POST' && path === call ? timing : undefined,
        )
        expect(await approve(estimate)).toBe(`${estimate.path}?deposit=unavailable`)
        expect(await readDeposit(estimate.id)).toMatchObject({ state: 'open' })
        expect((await open(`${estimate.path}?deposit=unavailable`)).body).toContain(
          'Nothing was charged, and your approval stays valid.',
        )
        shop.breakCalls(undefined)
        const checkout = locationOf(await post(`${estimate.path}/deposit`))
        await open(await pay(checkout))
        expect(await readDeposit(estimate.id)).toMatchObject({ state: 'paid' })
      }
    }
  })

  it('records the payment of a customer who does not return to the page, by the webhook or the reconciliation job', async () => {
    for (const settle of [() => shop.deliverEvents(), reconcile]) {
      const estimate = await sent()
      await pay(await approve(estimate))
      expect(await readDeposit(estimate.id)).toMatchObject({ state: 'open' })
      await settle()
      expect(await readDeposit(estimate.id)).toMatchObject({ state: 'paid', heldCents: 15_000 })
    }
  })

  it("shows 'Verifying payment...' during an outage of the payment provider", async () => {
    const estimate = await sent()
    const back = await pay(await approve(estimate))
    shop.breakCalls(() => 'before')
    expect(locationOf(await open(back))).toBe(`${estimate.path}?deposit=verifying`)
    expect((await open(`${estimate.path}?deposit=verifying`)).body).toContain(
      'Verifying payment...',
    )
  })
})

describe('a deposit that was paid online', () => {
  it('is attached to the Stripe invoice as the original card payment, and is counted once', async () => {
    const estimate = await sent()
    await open(await pay(await approve(estimate)))
    const invoiceId = await bill(estimate.id)
    await report()
    await shop.deliverEvents()
    await reconcile()
    const payments = await shop.stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid' })
    expect(payments.data.map(({ payment }) => payment.type)).toEqual(['payment_intent'])
    expect((await shop.stripe.invoices.retrieve(invoiceId)).amount_remaining).toBe(full - 15_000)
    const invoice = await read(invoiceId)
    expect(invoice.balanceCents).toBe(full - 15_000)
    expect(invoice.ledger.map(({ kind }) => kind)).toEqual(['applied_deposit'])
  })

  it('is refunded to the card in full when the invoice is cancelled, even if the invoice used only part of it', async () => {
    for (const cents of [15_000, full]) {
      const estimate = await sent(cents)
      await open(await pay(await approve(estimate)))
      if (cents === full) {
        // Removes lines from the job, so that the invoice is lower than the approved total.
        const { document } = await client.read(estimate.id)
        const [job = estimateJob()] = document.jobs
        await client.save(estimate.id, {
          ...document,
          jobs: [{ ...job, lines: job.lines.slice(0, 1) }],
        })
      }
      const invoiceId = await bill(estimate.id)
      await report()
      expect((await read(invoiceId)).balanceCents).toBe(cents === full ? 0 : full - cents)
      const cancelled = await shop.post('/api/commands/cancel-invoice', {
        commandId: randomUUID(),
        input: { invoiceId, reason: 'Sold', notifies: false },
      })
      expect(cancelled.status).toBe(200)
      await report()
      await shop.deliverEvents()
      expect(await refundedAtStripe(estimate.email)).toEqual([cents])
      expect((await shop.stripe.invoices.retrieve(invoiceId)).amount_remaining).toBe(0)
      expect(await readDeposit(estimate.id)).toMatchObject({ state: 'refunded', heldCents: 0 })
    }
  }, 60_000)

  it('can be refunded to the card before an invoice exists, and only once even after an outage', async () => {
    const estimate = await sent()
    await open(await pay(await approve(estimate)))
    const refunded = await shop.post('/api/commands/refund-deposit', {
      commandId: randomUUID(),
      input: {
        estimateId: estimate.id,
        method: null,
        reference: null,
        reason: 'Customer sold the vehicle.',
        notifies: true,
      },
    })
    expect(refunded.body).toMatchObject({ result: { refundCents: 15_000 } })
    shop.breakCalls(({ path }) => (path === '/v1/refunds' ? 'after' : undefined))
    const failures: unknown[] = []
    await reportToStripe(shop.context, (_id, error) => failures.push(error))
    expect(failures).toHaveLength(1)
    shop.breakCalls(undefined)
    await shop.database.owner.query(`update internal.stripe_reports set next_attempt_at = now()`)
    await report()
    expect(await refundedAtStripe(estimate.email)).toEqual([15_000])
    expect((await open(estimate.path)).body).toContain('$150.00 is on its way back to your card.')
  })
})

describe('an online deposit that is changed at the payment provider', () => {
  it('is held for the estimate again when its refund fails at the bank', async () => {
    const estimate = await sent()
    await open(await pay(await approve(estimate)))
    await shop.post('/api/commands/refund-deposit', {
      commandId: randomUUID(),
      input: {
        estimateId: estimate.id,
        method: null,
        reference: null,
        reason: 'Sold',
        notifies: false,
      },
    })
    await report()
    const intent = await intentOf(estimate.email)
    const [refund] = (await shop.stripe.refunds.list({ payment_intent: intent.id })).data
    await failRefund(shop.account, idOf(refund ?? null))
    await shop.deliverEvents()
    await shop.deliverEvents()
    expect(await readDeposit(estimate.id)).toMatchObject({ state: 'paid', heldCents: 15_000 })
    const invoiceId = await bill(estimate.id)
    expect((await read(invoiceId)).balanceCents).toBe(full - 15_000)
  })

  it('is reversed on the invoice when the shop loses a dispute, and becomes due on a replacement invoice', async () => {
    const estimate = await sent()
    await open(await pay(await approve(estimate)))
    const invoiceId = await bill(estimate.id)
    await report()
    const { latest_charge: charge } = await intentOf(estimate.email)
    await closeDispute(shop.account, await openDispute(shop.account, idOf(charge)), 'lost')
    await shop.deliverEvents()
    expect(await readDeposit(estimate.id)).toMatchObject({ heldCents: 0, appliedCents: 0 })
    const { ledger } = await read(invoiceId)
    expect(ledger.map(({ kind }) => kind)).toEqual(['applied_deposit', 'reversal'])
    // The disputed amount becomes due on a replacement invoice.
    await makeReplacements(shop.context, (_id, error) => {
      throw error
    })
    expect((await read(invoiceId)).balanceCents).toBe(full - 15_000)
    const { rows } = await shop.database.owner.query<{ cents: string }>(
      'select total_cents as cents from public.invoices where customer_id = (select customer_id from public.invoices where invoice_id = $1)',
      [invoiceId],
    )
    expect(rows.map(({ cents }) => Number(cents)).toSorted((one, other) => one - other)).toEqual([
      15_000,
      full,
    ])
  })

  it('is held for the estimate again when its invoice is voided at Stripe before the deposit was reported to Stripe', async () => {
    const estimate = await sent()
    await open(await pay(await approve(estimate)))
    const invoiceId = await bill(estimate.id)
    await shop.stripe.invoices.voidInvoice(invoiceId)
    await shop.deliverEvents()
    expect(await readDeposit(estimate.id)).toMatchObject({ state: 'paid', heldCents: 15_000 })
    const again = await bill(estimate.id)
    expect((await read(again)).balanceCents).toBe(full - 15_000)
    await report()
    expect((await shop.stripe.invoices.retrieve(again)).amount_remaining).toBe(full - 15_000)
  })
})

describe('a second payment of a deposit', () => {
  it('is prevented, because taking the deposit at the counter closes the payment page', async () => {
    const estimate = await sent()
    const checkout = await approve(estimate)
    expect((await take(estimate.id)).body).toMatchObject({ result: { paymentPage: 'closed' } })
    await shop.payByCard(checkout)
    await shop.deliverEvents()
    expect(await linesOf(estimate.id)).toEqual([['payment', 'cash', 15_000]])
  })

  it('at the counter is prevented after the customer paid online, and no cash payment is recorded', async () => {
    const estimate = await sent()
    await pay(await approve(estimate))
    expect((await take(estimate.id)).body).toMatchObject({ code: 'PAID_ONLINE' })
    expect(await linesOf(estimate.id)).toEqual([['payment', 'card_online', 15_000]])
  })

  it('is refunded to the card when the deposit is paid at the counter and online at the same time, and the owner is notified', async () => {
    const estimate = await sent()
    await pay(await approve(estimate))
    // Simulates an open payment page that the shop has not recorded.
    await shop.database.owner.query('delete from internal.payment_pages where estimate_id = $1', [
      estimate.id,
    ])
    expect((await take(estimate.id)).status).toBe(200)
    await shop.deliverEvents()
    expect(await linesOf(estimate.id)).toEqual([
      ['payment', 'cash', 15_000],
      ['payment', 'card_online', 15_000],
      ['refund', 'card_online', -15_000],
    ])
    expect(await readDeposit(estimate.id)).toMatchObject({ state: 'paid', heldCents: 15_000 })
    await report()
    expect(await refundedAtStripe(estimate.email)).toEqual([15_000])
    const notices = await shop.database.owner.query(
      `select from internal.owner_notices where dedupe_key like '%deposit-returned:%'`,
    )
    expect(notices.rows.length).toBeGreaterThan(0)
  })

  it('is refunded to the card when a deposit is paid online after the invoice was created', async () => {
    const estimate = await sent()
    const checkout = await approve(estimate)
    const invoiceId = await bill(estimate.id)
    await open(await pay(checkout))
    expect(await readDeposit(estimate.id)).toMatchObject({ state: 'refunded', heldCents: 0 })
    expect((await read(invoiceId)).ledger).toEqual([])
    await report()
    expect(await refundedAtStripe(estimate.email)).toEqual([15_000])
  })
})
