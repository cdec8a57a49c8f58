import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { goodCard } from '@local/stripe-sandbox/testing'
import { type StripeProcess, startStripeProcess } from '#tests/long/support/stripe-process.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { sendRequest } from '#tests/long/support/visitor-client.ts'

/**
 * The maximum number of steps at which the test kills the process. In `npm run test:long`, only the payment by card has
 * more steps; the test then kills the process at evenly spread steps.
 */
const crashCount = testSize('CRASHES', { short: 0, long: 60 })

/** An invoice of a new customer, and the checkout that pays it before or during the test. */
type Order = { invoiceId: string; email: string; cents: number; sessionId: string }

type Way = {
  readonly name: string
  /** Whether the card is charged before the shop starts. */
  readonly isPaidBefore: boolean
  /** Whether the payment is recorded at the shop before the shop starts, so that only the receipt is missing. */
  readonly isSettledBefore?: boolean
  /** The name of the job that runs continuously and crashes; undefined when a request crashes. */
  readonly job?: string
  /**
   * Whether the number of a step varies between runs, because simultaneous events arrive in any order and lists grow
   * during the test.
   */
  readonly isUneven?: boolean
  /**
   * Starts the tested request or job with `headers` that make the process crash. The caller therefore expects no
   * response.
   */
  setOff(shop: ServerProcess, order: Order, headers: Record<string, string>): Promise<unknown>
  /** Completes the interrupted request or job in the next process, without any other request or job. */
  recover(shop: ServerProcess, order: Order): Promise<unknown>
}

const ways: Way[] = [
  {
    name: 'the webhook',
    isPaidBefore: true,
    async setOff(shop, { sessionId }, headers) {
      const { payload, signature } = await stripeProcess.signCompleted(sessionId)
      const signed = { 'content-type': 'application/json', 'stripe-signature': signature }
      const options = { method: 'POST', headers: { ...signed, ...headers }, body: payload }
      return fetch(`${shop.url}/api/stripe/webhook`, options)
    },
    recover: () => stripeProcess.deliverEvents(),
  },
  {
    name: 'a payment with the card 4242 and the requests after it',
    isPaidBefore: false,
    isUneven: true,
    setOff: (shop, { sessionId }, headers) => payByCard(shop, sessionId, headers),
    async recover(shop, { sessionId }) {
      // A customer whose payment request was interrupted pays in the same checkout again. A checkout that is already
      // paid only redirects the customer.
      expect((await payByCard(shop, sessionId)).status).toBe(303)
      await stripeProcess.deliverEvents()
    },
  },
  {
    name: 'the success page',
    isPaidBefore: true,
    setOff: (shop, order, headers) => verify(shop, order, headers),
    recover: (shop, order) => verify(shop, order),
  },
  {
    name: 'the reconciliation',
    isPaidBefore: true,
    job: 'reconcile-payments',
    isUneven: true,
    setOff: () => Promise.resolve(),
    recover: (_shop, order) =>
      vi.waitFor(async () => expect(await ledgerOf(order)).toHaveLength(1), 10_000),
  },
  {
    name: 'the receipt',
    isPaidBefore: true,
    isSettledBefore: true,
    job: 'send-emails',
    setOff: () => Promise.resolve(),
    recover: (_shop, order) =>
      vi.waitFor(async () => expect(await receiptsOf(order)).toEqual(['sent']), 10_000),
  },
]

let directory: string
let database: TestDatabase
let mail: TestMailServer
let stripeProcess: StripeProcess
let settings: Record<string, string>
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'torque-deaths-'))
  database = await createTestDatabase()
  mail = await startMailServer()
  settings = {
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: directory,
    SMTP_URL: mail.url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    // The process that is started after a crash uses the same port, so that links and webhook URLs stay valid.
    PORT: String(await freePort()),
    STEPS: join(directory, 'steps'),
  }
  stripeProcess = await startStripeProcess(database, `http://localhost:${settings['PORT']}`)
})
afterAll(async () => {
  await stripeProcess?.close()
  await mail?.stop()
  await database?.drop()
  rmSync(directory, { recursive: true, force: true })
})

/** The shop's process in the current test. The teardown ends the process when a test fails. */
let running: ServerProcess | undefined
afterEach(() => running?.end('SIGKILL'))

const start = async () => (running = await startServer(settings))
const startCrashing = async (environment: Record<string, string> = {}) =>
  (running = await startServer(
    { ...settings, ...environment },
    'tests/long/crashes/crashing-server.ts',
  ))

let round = 0
async function makeOrder({ isPaidBefore, isSettledBefore }: Way): Promise<Order> {
  round += 1
  const email = `payer${round}@example.com`
  const cents = 54_950 + round
  const invoice = await stripeProcess.open(cents, email)
  const sessionId = await stripeProcess.openCheckout(invoice)
  if (isPaidBefore) await stripeProcess.payByCard(sessionId)
  if (isSettledBefore) await stripeProcess.settle(invoice.id)
  await stripeProcess.holdEvents()
  return { invoiceId: invoice.id, email, cents, sessionId }
}

function payByCard(shop: ServerProcess, sessionId: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(goodCard)
  const url = `${shop.url}/sandbox/checkout/${sessionId}`
  return fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
}

function verify(shop: ServerProcess, order: Order, headers?: Record<string, string>) {
  const params = new URLSearchParams({ sessionId: order.sessionId, invoiceId: order.invoiceId })
  return sendRequest(shop, 'GET', `/api/payment/session-verify?${params}`, undefined, headers)
}

const ledgerOf = async ({ invoiceId }: Order) =>
  (
    await database.owner.query<{ amount_cents: number; kind: string }>(
      'select amount_cents, kind from payments where invoice_id = $1',
      [invoiceId],
    )
  ).rows

const emailsOf = async ({ invoiceId }: Order) =>
  (
    await database.owner.query<{ kind: string; status: string }>(
      'select kind, status from emails where invoice_id = $1',
      [invoiceId],
    )
  ).rows
const receiptsOf = async (order: Order) => (await emailsOf(order)).map(({ status }) => status)

/**
 * Makes every email due that the crashed process was sending, as if that process's reservation of the email had
 * expired.
 */
const endLeases = () =>
  database.owner.query(`update emails set next_attempt_at = now() where status = 'queued'`)

const emailsTo = ({ email }: Order) =>
  mail.received.filter(({ recipients }) => recipients.includes(email))

/** Returns the names of the steps that the first observed request or job of a process reached. */
const readSteps = () =>
  readFileSync(settings['STEPS'] ?? '', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('1 '))
    .map((line) => line.slice(2))

/** Lists the steps of the tested request or job when no crash interrupts it. */
async function countSteps(way: Way): Promise<string[]> {
  writeFileSync(settings['STEPS'] ?? '', '')
  const order = await makeOrder(way)
  const shop = await startCrashing(way.job ? { HURRY: way.job } : {})
  await way.setOff(shop, order, { 'x-die-at': 'never' })
  await vi.waitFor(async () => {
    expect(await ledgerOf(order)).toHaveLength(1)
    if (way.isSettledBefore) expect(await receiptsOf(order)).toEqual(['sent'])
  }, 15_000)
  await shop.end()
  return readSteps()
}

/** Crashes the shop at the given step, restarts it, and compares the records of shop, Stripe and mail server. */
async function crashAndRecover(way: Way, crashAt: string): Promise<string> {
  let order = await makeOrder(way)
  for (let attempts = 1; !(await crashes(way, crashAt, order)); attempts += 1) {
    // The sandbox may deliver its events before the tested request reaches the step `crashAt`. The events then record
    // the payment, the request has fewer steps, and the test tries again with a new invoice and checkout.
    if (attempts === 3)
      throw new Error(`The process did not crash at ${crashAt}:\n${readSteps().join('\n')}`)
    order = await makeOrder(way)
  }
  const step = readSteps().at(-1) ?? ''
  const wasSent = (await receiptsOf(order)).includes('sent')
  // If the process crashes after the mail server accepted a message and before the shop recorded that, the next process
  // sends the message again.
  const copies = emailsTo(order).length === 1 && !wasSent ? 2 : 1

  await endLeases()
  const shop = way.job ? await startCrashing({ HURRY: way.job }) : await start()
  await way.recover(shop, order)
  const recovered = await ledgerOf(order)
  // A later event about the payment must not change any record.
  await stripeProcess.deliverEvents()
  const verified = await verify(shop, order)
  await vi.waitFor(async () => {
    await sendRequest(shop, 'GET', '/api/form-token')
    expect(await receiptsOf(order)).toEqual(['sent'])
  }, 15_000)
  const { payment } = (await verified.json()) as { payment?: { status: string } }
  await shop.end()

  const emails = emailsTo(order)
  const settlement = {
    recovered: recovered.length,
    page: payment?.status,
    stripe: await stripeProcess.readStripeState(order.invoiceId),
    ledger: await ledgerOf(order),
    emails: await emailsOf(order),
    copies: emails.length,
    messages: new Set(emails.map((email) => email.mail.messageId)).size,
  }
  expect({ crashAt, step, ...settlement }).toEqual({
    crashAt,
    step,
    recovered: 1,
    page: 'paid',
    stripe: { status: 'paid', paidCents: order.cents, payments: 1, charges: 1, refunds: 0 },
    ledger: [{ amount_cents: order.cents, kind: 'payment' }],
    emails: [{ kind: 'payment_receipt', status: 'sent' }],
    copies,
    messages: 1,
  })
  return step
}

/** Starts the shop and lets the process crash at the given step; returns false if the process did not crash. */
async function crashes(way: Way, crashAt: string, order: Order): Promise<boolean> {
  writeFileSync(settings['STEPS'] ?? '', '')
  if (way.job) {
    // The process may crash before its health check succeeds; the start of the process then fails.
    const shop = await startCrashing({ HURRY: way.job, DIE_AT: crashAt }).catch(() => undefined)
    await shop?.ended
    return true
  }
  const shop = await startCrashing()
  await way.setOff(shop, order, { 'x-die-at': crashAt }).catch(() => undefined)
  const timeout = new AbortController()
  const survived = delay(15_000, false, { signal: timeout.signal }).catch(() => false)
  const isDead = await Promise.race([shop.ended.then(() => true), survived])
  timeout.abort()
  await shop.end('SIGKILL')
  return isDead
}

/** Returns `wanted` whole numbers that are evenly spread between 1 and `count`. */
function spread(count: number, wanted: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const share = Math.min(wanted, count) / count
  return numbers.filter((number) => Math.floor(number * share) > Math.floor((number - 1) * share))
}

describe('a shop that is killed while it settles a payment', () => {
  it(
    'has the same records as Stripe and the mail server after a restart',
    { timeout: 60_000 },
    async () => {
      const [webhook] = ways
      if (!webhook) throw new Error('No way to settle a payment is defined.')
      for (const step of ['after POST /v1/invoices/in_id/attach_payment', 'before commit']) {
        expect(await crashAndRecover(webhook, step)).toBe(step)
      }
    },
  )

  it.each(crashCount > 0 ? ways : [])(
    'has the same records as Stripe and the mail server after a crash at any step: $name',
    { timeout: 60_000 + crashCount * 20_000 },
    async (way) => {
      const steps = await countSteps(way)
      const fatal = spread(steps.length, crashCount)
      for (const number of fatal) {
        const step = await crashAndRecover(way, String(number))
        expect(step).toBe(way.isUneven ? step : steps[number - 1])
      }
      reportFigure(
        `${way.name}: killed at ${fatal.length} of ${steps.length} steps, each time paid once, one ledger row, one receipt`,
      )
    },
  )
})
