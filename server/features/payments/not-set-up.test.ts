import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

const createSandbox = vi.fn(() => {
  throw new Error('A sandbox was opened')
})
const log: string[] = []
let shop: TestApp
let cookie: string
beforeAll(async () => {
  shop = await createTestApp({
    config: {
      payments: { mode: 'dashboard', otherwise: 'not_set_up' },
      rateLimits: 'off',
      logLevel: 'warn',
    },
    logStream: { write: (line: string) => void log.push(line) },
    createSandbox,
  })
  cookie = await shop.logIn()
  await shop.database.owner.query('update estimate_rules set labor_rate_cents = 12000')
})
afterAll(() => shop.close())

const forCustomer =
  'Online payments are not set up. Please pay at the shop, or call us at (650) 555-0142.'

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  shop.inject({ method: 'POST', url, payload, headers })

/**
 * Counts the rows in each table of the shop and of the payment sandbox (the simulated Stripe) that a payment can
 * change.
 */
async function countRows() {
  const tables = [
    'stripe_sandbox.objects',
    'internal.payment_pages',
    'internal.assigned_invoice_numbers',
    'public.invoices',
    'public.payments',
    'public.emails',
  ]
  const counts = tables.map((table) => `select '${table}' as name, count(*)::int from ${table}`)
  return (await shop.database.owner.query<object>(counts.join(' union all '))).rows
}

describe('a shop whose payments are not set up', () => {
  it.each([
    ['/api/invoice/lookup', { invoiceNumber: 'INV-2026-0001-ABCDEF' }],
    ['/api/create-checkout', { invoiceId: 'in_1234567890' }],
  ])(
    'asks a customer, in the response of %s, to pay at the shop; the response contains the phone number of the shop',
    async (url, payload) => {
      const before = await countRows()
      const response = await post(url, payload)
      expect(response.statusCode).toBe(409)
      expect(response.json()).toEqual({
        ok: false,
        code: 'PAYMENTS_NOT_SET_UP',
        message: forCustomer,
      })
      expect(await countRows()).toEqual(before)
    },
  )

  it.each([
    '/api/payment/session-verify?sessionId=cs_test_1234567890',
    '/api/payment/verify?invoiceId=in_1234567890',
  ])('verifies no payment at %s', async (url) => {
    expect((await shop.inject(url)).json()).toMatchObject({ code: 'PAYMENTS_NOT_SET_UP' })
  })

  it('sends no receipt', async () => {
    const response = await post('/api/send-payment-confirmation', { invoiceId: 'in_1234567890' })
    expect(response.json()).toMatchObject({ code: 'PAYMENTS_NOT_SET_UP' })
  })

  it('creates no invoice for staff, and the response states the reason', async () => {
    const before = await countRows()
    const response = await post(
      '/api/invoice/create',
      {
        customer: { name: 'Dana', email: 'dana@example.com' },
        lineItems: [{ description: 'Oil change', amount: '49.00', quantity: 1 }],
        sendEmail: true,
      },
      { cookie, 'idempotency-key': randomUUID() },
    )
    expect(response.json()).toMatchObject({ code: 'PAYMENTS_NOT_SET_UP' })
    const list = await shop.inject({ url: '/api/invoice/list', headers: { cookie } })
    expect(list.json()).toMatchObject({ code: 'PAYMENTS_NOT_SET_UP' })
    expect(await countRows()).toEqual(before)
  })

  it('adds no sample week, because a sample week needs invoices', async () => {
    const response = await post('/api/sample-week', {}, { cookie })
    expect(response.json()).toMatchObject({ code: 'PAYMENTS_NOT_SET_UP' })
  })

  it('accepts no webhook event, serves no page of the sandbox, and reports to the owner that payments are not set up', async () => {
    const event = await post('/api/stripe/webhook', {}, { 'stripe-signature': 't=1,v1=00' })
    expect(event.statusCode).toBe(400)
    expect((await shop.inject('/sandbox/invoice/in_1')).statusCode).toBe(404)
    const setup = await shop.inject({ url: '/api/setup/payments', headers: { cookie } })
    expect(setup.json()).toMatchObject({ mode: 'not_set_up', isSetByEnvironment: false })
    const operations = await shop.inject({ url: '/api/operations', headers: { cookie } })
    expect(operations.json<{ warnings: string[] }>().warnings.join()).toContain(
      'Payments are not set up',
    )
  })

  it('starts no sandbox and logs no failure', () => {
    expect(createSandbox).not.toHaveBeenCalled()
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
