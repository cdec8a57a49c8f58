import { defaultShop } from '#domain/shop/default-shop.ts'
import type Stripe from 'stripe'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import {
  createStripeSandbox,
  type StripeSandbox,
  type StripeSandboxOptions,
} from '@local/stripe-sandbox'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { createPaymentQueues } from '#server/features/payments/payment-queues.ts'
import { connectStripe } from '#server/features/payments/stripe.ts'
import { createTestApp, type TestApp } from './app.ts'

/** Decides whether a call to Stripe fails, and whether the call has taken effect before the failure. */
type Fault = (call: { method: string; path: string }) => FaultTiming | Promise<FaultTiming>
type FaultTiming = 'before' | 'after' | 'unauthorized' | undefined

export type PaymentApp = TestApp & {
  /** A client of the same Stripe sandbox whose calls never fail, for setting up and inspecting data. */
  readonly stripe: Stripe
  readonly sandbox: StripeSandbox
  /** The options of the Stripe sandbox. Tests change them to simulate later outcomes of refunds and disputes. */
  readonly account: StripeSandboxOptions
  /**
   * The argument `context` of the payment functions: a Stripe client whose calls can fail, and a database that a test
   * can replace.
   */
  readonly context: PaymentContext
  readonly clock: { now: number }
  /** Makes the product's calls to Stripe fail as the given function decides; undefined lets all calls succeed again. */
  breakCalls(fault: Fault | undefined): void
  /** Returns the product's calls to Stripe since the previous `drainCalls`. */
  drainCalls(): string[]
  /** Signs in and creates an invoice through the API. */
  createInvoice(change?: Record<string, unknown>): Promise<{ id: string; number: string }>
  post(path: string, body: unknown): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  /** Opens a checkout through the API; returns the URL of the payment page. */
  checkout(invoiceId: string): Promise<string>
  /** Enters a card on Stripe's payment page; returns the URL to which the browser is redirected. */
  payByCard(checkoutUrl: string, number?: string): Promise<string | undefined>
  /** Delivers Stripe's events to the webhook; returns the number of accepted events. */
  deliverEvents(): Promise<number>
  /** Posts an event with a signature that the test computes. */
  postEvent(
    event: object,
    options?: { secret?: string; secondsOff?: number },
  ): Promise<TestResponse>
  ledger(): Promise<LedgerRow[]>
  outbox(kind?: string): Promise<OutboxRow[]>
}

type TestResponse = { status: number; body: Record<string, unknown> }
type LedgerRow = {
  invoice_id: string
  payment_intent_id: string
  amount_cents: number
  overpaid_cents: number
  outcome: string
  refund_id: string | null
}
type OutboxRow = {
  kind: string
  dedupe_key: string
  recipient_email: string
  subject: string
}

/**
 * Creates the whole application with a sandbox of Stripe. The sandbox delivers events on demand only, and its calls can
 * fail.
 */
export async function createPaymentApp(
  config: Partial<Config> = {},
  stripeFetch?: typeof fetch,
): Promise<PaymentApp> {
  const clock = { now: Date.now() }
  let fault: Fault | undefined
  let calls: string[] = []
  let sandbox: StripeSandbox | undefined
  let webhookSecret = ''
  let account: StripeSandboxOptions | undefined

  let brokenFetch: typeof fetch | undefined
  const test = await createTestApp({
    now: () => clock.now,
    config: { rateLimits: 'off', ...config },
    ...(stripeFetch && { stripeFetch }),
    createSandbox(options) {
      sandbox = createStripeSandbox({ ...options, background: false })
      account = options
      webhookSecret = options.webhookSecret
      const { fetch } = sandbox
      brokenFetch = async (input, init) => {
        const request = new Request(input, init)
        const call = { method: request.method, path: new URL(request.url).pathname }
        calls.push(`${call.method} ${call.path}`)
        const timing = await fault?.(call)
        if (timing === 'before') return outage()
        if (timing === 'unauthorized') return outage(401)
        const response = await fetch(request)
        return timing === 'after' ? outage() : response
      }
      return { ...sandbox, fetch: brokenFetch }
    },
  })
  if (!sandbox || !brokenFetch || !account) throw new Error('The app made no sandbox')
  const opened = sandbox
  const stripe = connectStripe({ fetch: opened.fetch, webhookSecret }).client
  const brokenStripe = connectStripe({ fetch: brokenFetch, webhookSecret }).client
  const cookie = await test.logIn()
  const { app, database } = test

  return {
    ...test,
    stripe,
    sandbox: opened,
    account,
    context: {
      stripe: brokenStripe,
      database: database.database,
      now: () => clock.now,
      publicUrl: test.config.publicUrl,
      ownerEmail: test.config.mail.owner,
      currentShop: () => defaultShop,
      pdfs: createInvoicePdfs(brokenStripe, database.database, () => defaultShop),
      paymentQueues: createPaymentQueues(),
      paymentMode: () => 'sandbox',
      report(what, error) {
        throw new Error(what, { cause: error })
      },
    },
    clock,
    breakCalls: (next) => {
      fault = next
    },
    drainCalls: () => calls.splice(0),
    async createInvoice(change = {}) {
      const payload = { ...order, ...change }
      const { status, body } = await sendRequest(app, 'POST', '/api/invoice/create', payload, {
        cookie,
      })
      if (status !== 200) throw new Error(`No invoice: ${JSON.stringify(body)}`)
      return body['invoice'] as { id: string; number: string }
    },
    post: (path, body) => sendRequest(app, 'POST', path, body, { cookie }),
    get: (path) => sendRequest(app, 'GET', path, undefined, { cookie }),
    async checkout(invoiceId) {
      const { body } = await sendRequest(app, 'POST', '/api/create-checkout', { invoiceId })
      const opened = body['checkout'] as { url: string } | undefined
      if (!opened) throw new Error(`No checkout: ${JSON.stringify(body)}`)
      return opened.url
    },
    async payByCard(checkoutUrl, number = '4242 4242 4242 4242') {
      const response = await app.inject({
        method: 'POST',
        url: new URL(checkoutUrl).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ ...card, number }).toString(),
      })
      return response.headers.location
    },
    deliverEvents: () => opened.deliverPendingEvents(),
    async postEvent(event, { secret = webhookSecret, secondsOff = 0 } = {}) {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(clock.now / 1000) + secondsOff
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
      return sendRequest(app, 'POST', '/api/stripe/webhook', payload, headers)
    },
    ledger: async () =>
      (
        await database.owner
          .query<LedgerRow>(`select payment.*, internal.payment_outcome(payment) as outcome,
             coalesce((select -sum(amount_cents) from public.payments credit
               where credit.original_id = payment.id and credit.kind = 'customer_credit'), 0)::integer as overpaid_cents,
             (select max(refund.refund_id) from public.payments refund
               where refund.original_id = payment.id and refund.kind = 'refund') as refund_id
           from public.payments payment where payment.kind = 'payment' order by payment.recorded_at`)
      ).rows,
    outbox: async (kind) =>
      (
        await database.owner.query<OutboxRow>(
          'select * from public.emails where $1::text is null or kind = $1 order by created_at',
          [kind ?? null],
        )
      ).rows,
  }
}

const order = {
  customer: { name: 'Dana Whitfield', email: 'dana@example.com', phone: '(650) 555-0199' },
  lineItems: [
    { description: 'Front brake pads and rotors', amount: '318.00', quantity: 1 },
    { description: 'Brake fluid exchange', amount: 89, quantity: 1 },
  ],
  memo: 'Front brake job',
  dueDays: 7,
  sendEmail: false,
  currency: 'usd',
}

const card = {
  email: 'dana.pays@example.com',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Dana Whitfield',
}

/** Returns Stripe's response during an outage. The header 'stripe-should-retry' tells the SDK not to retry. */
function outage(status = 503): Response {
  const headers = { 'content-type': 'application/json', 'stripe-should-retry': 'false' }
  const body = { error: { type: 'api_error', message: 'An outage made by a test.' } }
  return new Response(JSON.stringify(body), { status, headers })
}

async function sendRequest(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await app.inject({
    method,
    url,
    headers,
    ...(payload === undefined ? {} : { payload: payload as object | string }),
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
