import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStripeSandbox } from './sandbox.ts'
import { openTestSandbox, sandboxWebhookSecret, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

const minutes = (count: number) => count * 60_000

describe('events', () => {
  beforeEach(async () => {
    sandbox.webhook.status = 200
    await sandbox.sandbox.deliverPendingEvents()
    sandbox.webhook.received.length = 0
  })

  it('have a signature that the SDK verifies only with the endpoint’s secret', async () => {
    const sent: { payload: string; signature: string }[] = []
    const other = createStripeSandbox({
      ...sandbox.options,
      background: false,
      async deliver(delivery) {
        sent.push(delivery)
        return { status: 200 }
      },
    })
    await sandbox.stripe.customers.create({ email: 'signed@example.com' })
    expect(await other.deliverPendingEvents()).toBe(1)
    const [delivery] = sent
    if (!delivery) throw new Error('no event was delivered')
    const { payload, signature } = delivery
    const verify = (secret: string, text: string, at = sandbox.clock.now) =>
      sandbox.stripe.webhooks.constructEvent(text, signature, secret, 300, undefined, at)
    const event = verify(sandboxWebhookSecret, payload)
    expect(event).toMatchObject({
      type: 'customer.created',
      api_version: Stripe.API_VERSION,
      livemode: false,
    })
    expect(() => verify('whsec_other', payload)).toThrow('signature')
    expect(() => verify(sandboxWebhookSecret, payload.replace('signed@', 'forged@'))).toThrow(
      'signature',
    )
    expect(() => verify(sandboxWebhookSecret, payload, sandbox.clock.now + 301_000)).toThrow(
      'tolerance',
    )
  })

  it('are sent again after increasing delays until the endpoint accepts them', async () => {
    sandbox.webhook.status = 500
    await sandbox.stripe.customers.create({ email: 'retry@example.com' })
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
    expect(sandbox.webhook.received).toHaveLength(1)
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
    expect(sandbox.webhook.received, 'no attempt before the delay has passed').toHaveLength(1)

    sandbox.clock.now += minutes(0.1)
    await sandbox.sandbox.deliverPendingEvents()
    expect(sandbox.webhook.received).toHaveLength(2)
    const [first, second] = sandbox.webhook.received
    expect(second?.id).toBe(first?.id)

    const pending = await sandbox.stripe.events.retrieve(first?.id ?? '')
    expect(pending.pending_webhooks).toBe(1)
    sandbox.webhook.status = 200
    sandbox.clock.now += minutes(1)
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(1)
    expect((await sandbox.stripe.events.retrieve(first?.id ?? '')).pending_webhooks).toBe(0)
    sandbox.clock.now += minutes(100)
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
  })

  it('are sent thirteen times at most', async () => {
    sandbox.webhook.status = 500
    await sandbox.stripe.customers.create({ email: 'given-up@example.com' })
    for (let round = 0; round < 30; round += 1) {
      await sandbox.sandbox.deliverPendingEvents()
      sandbox.clock.now += minutes(12 * 60)
    }
    expect(sandbox.webhook.received).toHaveLength(13)
  })

  it('are sent by another process when the process that claimed them has crashed', async () => {
    await sandbox.stripe.customers.create({ email: 'crash@example.com' })
    await sandbox.database.query(
      'update stripe_sandbox.event_deliveries set next_attempt_at = $1, attempts = 1 where delivered_at is null and next_attempt_at is not null',
      [sandbox.clock.now + minutes(1)],
    )
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
    sandbox.clock.now += minutes(1)
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(1)
  })

  it('are sent once when several processes deliver concurrently', async () => {
    for (let count = 0; count < 20; count += 1) {
      await sandbox.stripe.customers.create({ email: `many-${count}@example.com` })
    }
    const accepted = await Promise.all(
      [1, 2, 3, 4].map(() => sandbox.sandbox.deliverPendingEvents()),
    )
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(new Set(sandbox.webhook.received.map(({ id }) => id)).size).toBe(20)
    expect(sandbox.webhook.received).toHaveLength(20)
  })

  it('are not sent when the request that caused them was rolled back', async () => {
    const { id: customer } = await sandbox.stripe.customers.create({ email: 'undone@example.com' })
    await sandbox.sandbox.deliverPendingEvents()
    sandbox.webhook.received.length = 0
    const refused = sandbox.stripe.invoiceItems.create({
      customer,
      invoice: 'in_missing',
      amount: 100,
    })
    await expect(refused).rejects.toMatchObject({ statusCode: 400 })
    expect(await sandbox.sandbox.deliverPendingEvents()).toBe(0)
  })

  it('are sent without a call of deliverPendingEvents when the sandbox runs in the background', async () => {
    const delivered = Promise.withResolvers<string>()
    const background = createStripeSandbox({
      ...sandbox.options,
      async deliver({ payload }) {
        delivered.resolve(payload)
        return { status: 200 }
      },
    })
    const stripe = new Stripe('sk_test_background', {
      httpClient: Stripe.createFetchHttpClient(background.fetch),
    })
    const customer = await stripe.customers.create({ email: 'background@example.com' })
    expect(JSON.parse(await delivered.promise)).toMatchObject({
      data: { object: { id: customer.id } },
    })
    await background.stop()
  })
})
