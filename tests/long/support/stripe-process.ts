import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultShop } from '#domain/shop/default-shop.ts'
import Fastify from 'fastify'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { createPaymentQueues } from '#server/features/payments/payment-queues.ts'
import { toSandboxAccount } from '#server/features/payments/sandbox-account.ts'
import { settlePayment } from '#server/features/payments/settlement/settle-payment.ts'
import { type Database, openDatabase } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { openKeys } from '#server/platform/keys/open-keys.ts'
import { connectStripe, idOf, type Stripe } from '#server/features/payments/stripe.ts'
import { createStripeSandbox } from '@local/stripe-sandbox'
import type { TestDatabase } from '#tests/support/database/database.ts'
import { goodCard, openCheckout, openInvoice } from '@local/stripe-sandbox/testing'

/**
 * The Stripe sandbox on the shop's database. The sandbox runs in the process of the test, so that it survives crashes
 * of the shop.
 */
export type StripeProcess = {
  /** Creates an invoice over `cents` for a new customer. */
  open(cents: number, email: string): Promise<Stripe.Invoice>
  /** Opens a Checkout Session for the whole invoice; returns the id of the session. */
  openCheckout(invoice: Stripe.Invoice): Promise<string>
  /** Pays in a Checkout Session with the card 4242…. */
  payByCard(sessionId: string): Promise<void>
  /** Records the payments of an invoice with the shop's own code, but in the process of the test. */
  settle(invoiceId: string): Promise<unknown>
  /**
   * Returns the body and the signature of the webhook request with which Stripe reports `checkout.session.completed` of
   * the Checkout Session.
   */
  signCompleted(sessionId: string): Promise<{ payload: string; signature: string }>
  /** Postpones all undelivered events, so that no process delivers them. */
  holdEvents(): Promise<void>
  /** Makes every event due, and delivers events to the shop by HTTP until the shop has accepted all of them. */
  deliverEvents(): Promise<void>
  /** Returns the state of an invoice at Stripe. */
  readStripeState(invoiceId: string): Promise<StripeState>
  close(): Promise<void>
}

type StripeState = {
  readonly status: string | null
  readonly paidCents: number
  readonly payments: number
  readonly charges: number
  readonly refunds: number
}

export async function startStripeProcess(
  shop: TestDatabase,
  shopUrl: string,
): Promise<StripeProcess> {
  const { owner } = shop
  const database: Database = openDatabase(shop.url)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-processor-'))
  const keys = await openKeys({ ownerUrl: shop.ownerUrl, dataDirectory, isShared: true })
  rmSync(dataDirectory, { recursive: true })
  const webhookSecret = `whsec_${keys.sandboxWebhooks}`
  const failures: unknown[] = []
  const sandbox = createStripeSandbox({
    transaction: (work) => database.transaction(asServer, work),
    publicUrl: shopUrl,
    webhookSecret,
    webhookUrl: `${shopUrl}/api/stripe/webhook`,
    account: () => toSandboxAccount(defaultShop),
    background: false,
    report: (error) => failures.push(error),
  })
  const { client: stripe } = connectStripe({ fetch: sandbox.fetch, webhookSecret })
  const pages = Fastify()
  sandbox.registerPages(pages)
  await pages.ready()
  const undelivered = async () =>
    (
      await owner.query(
        'select from stripe_sandbox.event_deliveries where delivered_at is null limit 1',
      )
    ).rows.length
  return {
    open: (cents, email) => openInvoice(stripe, cents, email),
    openCheckout: async (invoice) => (await openCheckout(stripe, invoice)).id,
    async payByCard(sessionId) {
      const response = await pages.inject({
        method: 'POST',
        url: `/sandbox/checkout/${sessionId}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(goodCard).toString(),
      })
      if (response.statusCode !== 303) throw new Error(`Not paid: ${response.statusCode}`)
    },
    settle: (invoiceId) =>
      settlePayment(
        {
          stripe,
          database,
          now: Date.now,
          publicUrl: shopUrl,
          ownerEmail: 'owner@example.com',
          currentShop: () => defaultShop,
          pdfs: createInvoicePdfs(stripe, database, () => defaultShop),
          paymentQueues: createPaymentQueues(),
          paymentMode: () => 'stripe',
          report: (_what, error) => failures.push(error),
        },
        invoiceId,
      ),
    async signCompleted(sessionId) {
      const { data } = await stripe.events.list({ limit: 100 })
      const event = data.find(
        ({ type, data: { object } }) =>
          type === 'checkout.session.completed' && 'id' in object && object.id === sessionId,
      )
      const payload = JSON.stringify(event)
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
      return { payload, signature }
    },
    async holdEvents() {
      await owner.query(
        'update stripe_sandbox.event_deliveries set next_attempt_at = null where delivered_at is null',
      )
    },
    async deliverEvents() {
      const deadline = performance.now() + 30_000
      while ((await undelivered()) > 0) {
        if (performance.now() > deadline) throw new Error('The shop does not accept the events.')
        await owner.query(
          'update stripe_sandbox.event_deliveries set next_attempt_at = 0 where delivered_at is null',
        )
        await sandbox.deliverPendingEvents()
      }
    },
    async readStripeState(invoiceId) {
      const invoice = await stripe.invoices.retrieve(invoiceId)
      const customer = idOf(invoice.customer)
      const paid = await stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid' })
      const intents = await stripe.paymentIntents.list({ customer })
      const succeeded = intents.data.filter(({ status }) => status === 'succeeded')
      const refunds = await Promise.all(
        succeeded.map(({ id }) => stripe.refunds.list({ payment_intent: id })),
      )
      return {
        status: invoice.status,
        paidCents: invoice.amount_paid,
        payments: paid.data.length,
        charges: succeeded.length,
        refunds: refunds.flatMap(({ data }) => data).length,
      }
    },
    async close() {
      await pages.close()
      await sandbox.stop()
      await database.close()
      if (failures.length > 0) throw new Error(failures.map(String).join('\n'))
    },
  }
}
