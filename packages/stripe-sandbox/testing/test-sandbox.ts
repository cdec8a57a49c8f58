import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import Stripe from 'stripe'
import type { Account } from '../account.ts'
import { problemsOf } from '../conformance/check-stripe-responses.ts'
import { createStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from '../sandbox.ts'
import { type CardFields, goodCard } from './payments.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export type TestSandbox = {
  /** The official SDK of Stripe with the sandbox as its HTTP client. */
  readonly stripe: Stripe
  readonly sandbox: StripeSandbox
  /** The options with which a test opens another sandbox of the same simulated Stripe account. */
  readonly options: Pick<
    StripeSandboxOptions,
    'transaction' | 'account' | 'publicUrl' | 'webhookSecret' | 'webhookUrl' | 'now'
  >
  /** A Fastify application that serves only the hosted pages. */
  readonly app: FastifyInstance
  readonly database: TestDatabase
  /** The simulated time of the sandbox, in milliseconds since 1970. */
  readonly clock: { now: number }
  /**
   * The webhook endpoint of the test: the status of its responses, and the events that it received with a valid
   * signature.
   */
  readonly webhook: { status: number; readonly received: Stripe.Event[] }
  /** Submits the card form of a hosted page and returns the response. */
  readonly submitCard: (
    path: string,
    changes?: Partial<CardFields>,
  ) => Promise<LightMyRequestResponse>
  /**
   * Drops the test database. Throws when a response or an event did not match the SDK's types, or when the sandbox
   * reported an unexpected error.
   */
  close(): Promise<void>
}

export const sandboxUrl = 'https://shop.test'
export const sandboxWebhookSecret = 'whsec_only_in_tests'

const testAccount: Account = {
  businessName: 'Example Company',
  supportAddress: '1 Example Street, Springfield, CA 94000',
  statementDescriptor: 'EXAMPLE COMPANY',
  invoicePrefix: 'ACME',
  timeZone: 'America/Los_Angeles',
  branding: {
    icon: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    logo: '<svg viewBox="0 0 1 1"></svg>',
    font: Buffer.from('wOF2'),
  },
}

/**
 * Opens a sandbox with the official SDK on a new database. The sandbox delivers events only when the test calls
 * `deliverPendingEvents`.
 */
export async function openTestSandbox(): Promise<TestSandbox> {
  const database = await createTestDatabase()
  const clock = { now: Date.UTC(2026, 10, 21, 17) }
  const webhook: TestSandbox['webhook'] = { status: 200, received: [] }
  const failures: unknown[] = []
  // Records every successful response and every event of a test. `close` compares these responses and events with the
  // SDK's types.
  const responses: unknown[] = []
  const options: TestSandbox['options'] = {
    transaction: database.transaction,
    account: () => testAccount,
    publicUrl: sandboxUrl,
    webhookSecret: sandboxWebhookSecret,
    webhookUrl: `${sandboxUrl}/api/stripe/webhook`,
    now: () => clock.now,
  }
  const sandbox = createStripeSandbox({
    ...options,
    background: false,
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
    options,
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
