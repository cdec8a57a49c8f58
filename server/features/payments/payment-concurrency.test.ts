import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@local/postgres'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { createCheckout } from './checkout/create-checkout.ts'
import { createPaymentQueues } from './payment-queues.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

const requestCount = 58
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

async function paidUnheard(): Promise<{ id: string; sessionId: string }> {
  const { id } = await shop.createInvoice()
  const back = await shop.payByCard(await shop.checkout(id))
  return { id, sessionId: new URL(back ?? '').searchParams.get('session_id') ?? '' }
}

const verify = ({ id, sessionId }: { id: string; sessionId: string }) =>
  shop.get(`/api/payment/session-verify?${new URLSearchParams({ sessionId, invoiceId: id })}`)

/** Delays Stripe's responses to paths that match `isHeld` until the test calls `release`. */
function holdCalls(isHeld: (path: string) => boolean) {
  let release = () => undefined as void
  const released = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
  let held = 0
  shop.breakCalls(({ path }) => {
    if (!isHeld(path)) return undefined
    held += 1
    return released
  })
  return { release: () => release(), held: () => held }
}

/** Counts the requests whose handler has started. A handler starts after the checks of rights and rate limits. */
function countHandlers() {
  const channel = 'tracing:fastify.request.handler:start'
  let started = 0
  const add = () => void (started += 1)
  subscribe(channel, add)
  return { count: () => started, stop: () => unsubscribe(channel, add) }
}

const connectionsInUse = () => {
  const { pool } = shop.database.database
  return pool.totalCount - pool.idleCount
}

/**
 * Sends all requests at once, and delays Stripe's responses until the server has begun to handle every request. The
 * server executes identical requests at most twice: each request gets the result of the first or of the second
 * execution.
 */
async function sendTogether<Response>(send: () => Promise<Response>): Promise<Response[]> {
  const { release } = holdCalls(() => true)
  const begun = countHandlers()
  const running = times(requestCount, send)
  await expect.poll(begun.count).toBe(requestCount)
  await expect.poll(connectionsInUse).toBeLessThanOrEqual(1)
  begun.stop()
  release()
  return running
}

describe('58 simultaneous verifications of one payment', () => {
  it('cause at most twice as many Stripe calls as a single verification', async () => {
    const alone = await paidUnheard()
    shop.drainCalls()
    await verify(alone)
    const single = shop.drainCalls().length
    const payment = await paidUnheard()
    shop.drainCalls()
    const responses = await sendTogether(() => verify(payment))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(shop.drainCalls().length).toBeLessThanOrEqual(2 * single)
  })

  it('by invoice id cause exactly twice as many Stripe calls as one verification, as do simultaneous checkouts and receipt requests', async () => {
    const { id } = await shop.createInvoice()
    const lookUp = {
      verification: () => shop.get(`/api/payment/verify?invoiceId=${id}`),
      checkout: () => shop.post('/api/create-checkout', { invoiceId: id }),
      confirmation: () => shop.post('/api/send-payment-confirmation', { invoiceId: id }),
    }
    for (const [name, once] of Object.entries(lookUp)) {
      await once()
      shop.drainCalls()
      await once()
      const single = shop.drainCalls().length
      await sendTogether(once)
      expect([name, shop.drainCalls().length]).toEqual([name, 2 * single])
    }
  })

  it('do not delay another visitor’s checkout or a webhook, and use only one database connection', async () => {
    const slow = await paidUnheard()
    const another = await shop.createInvoice()
    const heard = await paidUnheard()
    const { release, held } = holdCalls((path) => path.includes(slow.id))
    const waiting = times(requestCount, (index) =>
      index % 2 === 0 ? verify(slow) : shop.get(`/api/payment/verify?invoiceId=${slow.id}`),
    )
    await expect.poll(held).toBeGreaterThan(0)
    await expect.poll(connectionsInUse).toBeLessThanOrEqual(1)
    expect(await shop.checkout(another.id)).toContain('/sandbox/')
    const response = await shop.postEvent({
      id: 'evt_beside_a_rush',
      object: 'event',
      livemode: false,
      type: 'invoice.paid',
      data: { object: { id: heard.id } },
    })
    expect(response.status).toBe(200)
    release()
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('simultaneous verifications of many different payments', () => {
  it('are refused with 503 while the queue is full, do not delay checkouts or webhooks, and work again afterwards', async () => {
    const another = await shop.createInvoice()
    const heard = await paidUnheard()
    const { release, held } = holdCalls((path) => path.includes('in_unknown'))
    const lookUp = (index: number) =>
      shop.inject({ method: 'GET', url: `/api/payment/verify?invoiceId=in_unknown${index}` })
    const responses = times(2 * requestCount, lookUp)
    await expect.poll(held).toBeGreaterThan(0)
    const refused = await lookUp(9999)
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.json()).toEqual({ ok: false, code: 'BUSY', message: expect.any(String) })
    expect(held()).toBeLessThanOrEqual(4)
    expect(await shop.checkout(another.id)).toContain('/sandbox/')
    const response = await shop.postEvent({
      id: 'evt_beside_many',
      object: 'event',
      livemode: false,
      type: 'invoice.paid',
      data: { object: { id: heard.id } },
    })
    expect(response.status).toBe(200)
    release()
    const codes = (await responses).map((response) => response.statusCode)
    expect(codes.filter((code) => code === 404).length).toBeGreaterThanOrEqual(40)
    expect(new Set(codes)).toEqual(new Set([404, 503]))
    expect((await lookUp(0)).statusCode).toBe(404)
  })
})

/**
 * Simulates a second server process with its own queues and database connections. `attempts` counts how often this
 * process requested a database lock.
 */
function openProcess() {
  const database = openDatabase(shop.database.url)
  let attempts = 0
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const counting = (...args: unknown[]) => {
      if (JSON.stringify(args[0]).includes('pg_try_advisory_lock')) attempts += 1
      return query(...args)
    }
    Object.assign(client, { query: counting })
  })
  return {
    context: { ...shop.context, database, paymentQueues: createPaymentQueues() },
    attempts: () => attempts,
    close: () => database.close(),
  }
}

describe('checkouts for one invoice in two processes', () => {
  it('open a single checkout session, even when the first process is slow', async () => {
    const { id } = await shop.createInvoice()
    const other = openProcess()
    let creations = 0
    let release = () => undefined as void
    const released = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
    shop.breakCalls(({ method, path }) => {
      const isFirst = method === 'POST' && path.endsWith('/sessions') && (creations += 1) === 1
      return isFirst ? released : undefined
    })
    const first = createCheckout(shop.context, id)
    await expect.poll(() => creations).toBe(1)
    const second = createCheckout(other.context, id)
    let isSecondDone = false
    void second.finally(() => (isSecondDone = true))
    await expect.poll(() => isSecondDone || other.attempts() > 2).toBe(true)
    release()
    expect(await first).toMatchObject({ ok: true })
    expect(await second).toEqual(await first)
    expect(creations).toBe(1)
    await other.close()
  })
})
