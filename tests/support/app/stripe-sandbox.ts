import { defaultShop } from '#domain/shop/default-shop.ts'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import Stripe from 'stripe'
import { createStripeSandbox, type StripeSandbox } from '#packages/stripe-sandbox/sandbox.ts'
import { problemsOf } from '#packages/stripe-sandbox/conformance/check-stripe-responses.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

export type TestSandbox = {
  readonly stripe: Stripe
  readonly sandbox: StripeSandbox
  /** An app with only the sandbox's pages. */
  readonly app: FastifyInstance
  readonly database: TestDatabase
  /** The sandbox's clock, in milliseconds since 1970. */
  readonly clock: { now: number }
  /** The webhook endpoint: its response status, and the events that it received with a valid signature. */
  readonly webhook: { status: number; readonly received: Stripe.Event[] }
  /** Enters a card into a page's form and submits it. */
  readonly submitCard: (
    path: string,
    changes?: Partial<CardInput>,
  ) => Promise<LightMyRequestResponse>
  close(): Promise<void>
}
type CardInput = { email: string; number: string; expiry: string; cvc: string; name: string }

export const sandboxUrl = 'https://shop.test'
export const sandboxWebhookSecret = 'whsec_only_in_tests'

/** The sandbox behind the real SDK, on a database of its own; events are delivered only on demand. */
export async function openTestSandbox(): Promise<TestSandbox> {
  const database = await createTestDatabase()
  const clock = { now: Date.UTC(2026, 10, 21, 17) }
  const webhook: TestSandbox['webhook'] = { status: 200, received: [] }
  const failures: unknown[] = []
  // Every response, and every event, is checked against the SDK's types.
  const responses: unknown[] = []
  const sandbox = createStripeSandbox({
    currentShop: () => defaultShop,
    database: database.database,
    publicUrl: sandboxUrl,
    webhookSecret: sandboxWebhookSecret,
    webhookUrl: `${sandboxUrl}/api/stripe/webhook`,
    background: false,
    now: () => clock.now,
    report: (error) => failures.push(error),
    async deliver({ payload, signature }) {
      const verify = stripe.webhooks.constructEvent.bind(stripe.webhooks)
      webhook.received.push(
        verify(payload, signature, sandboxWebhookSecret, 300, undefined, clock.now),
      )
      responses.push(JSON.parse(payload))
      return { status: webhook.status }
    },
    renderPdf: async (invoiceId) => Buffer.from(`%PDF-1.7 ${invoiceId}`),
  })
  const stripe = new Stripe('sk_test_sandbox', {
    httpClient: Stripe.createFetchHttpClient(recordedFetch),
    maxNetworkRetries: 0,
    telemetry: false,
  })
  async function recordedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await sandbox.fetch(...request)
    if (response.ok) responses.push(await response.clone().json())
    return response
  }
  const app = Fastify()
  sandbox.registerPages(app)
  await app.ready()
  return {
    stripe,
    sandbox,
    app,
    database,
    clock,
    webhook,
    submitCard: (path, changes) =>
      app.inject({
        method: 'POST',
        url: new URL(path, sandboxUrl).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ ...goodCard, ...changes }).toString(),
      }),
    async close() {
      await app.close()
      await sandbox.stop()
      await database.drop()
      failures.push(...(await problemsOf(responses)))
      if (failures.length > 0) throw new Error([...new Set(failures.map(String))].join('\n'))
    },
  }
}

/** The input of a successful payment on the hosted page. */
export const goodCard: CardInput = {
  email: 'dana@example.com',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Dana Whitfield',
}

/** An open invoice of one line, for a new customer. */
export async function openInvoice(
  stripe: Stripe,
  cents = 54_950,
  email = 'dana@example.com',
): Promise<Stripe.Invoice> {
  const customer = await stripe.customers.create({ email, name: 'Dana Whitfield' })
  const draft = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 7,
    currency: 'usd',
    description: 'Front brake job',
    auto_advance: false,
    pending_invoice_items_behavior: 'exclude',
  })
  await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: draft.id,
    description: 'Front brake pads and rotors',
    quantity: 1,
    unit_amount_decimal: Stripe.Decimal.from(cents),
    currency: 'usd',
  })
  return stripe.invoices.finalizeInvoice(draft.id)
}

/** Opens a checkout over the open amount of an invoice, as the payment feature does. */
export function openCheckout(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  cents = invoice.amount_remaining,
) {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customerOf(invoice),
    client_reference_id: invoice.id,
    metadata: { invoice_id: invoice.id },
    payment_intent_data: { metadata: { invoice_id: invoice.id } },
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: invoice.currency,
          unit_amount: cents,
          product_data: { name: `Invoice ${invoice.number ?? ''}` },
        },
      },
    ],
    success_url: `${sandboxUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${sandboxUrl}/pay-invoice`,
  })
}

/** The id of an invoice's customer. */
export function customerOf({ customer }: Stripe.Invoice): string {
  if (typeof customer === 'string') return customer
  throw new Error('The invoice has no customer, or it was expanded')
}

/** The id of the payment of a completed checkout. */
export async function paymentOf(stripe: Stripe, session: Stripe.Checkout.Session): Promise<string> {
  const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(session.id)
  if (typeof payment === 'string') return payment
  throw new Error('Nothing was paid yet')
}
