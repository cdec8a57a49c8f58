import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

const clock = { ms: Date.now() }
let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp({ now: () => clock.ms })
})
afterAll(() => shop.close())

const { method, path: url } = stripeWebhookEndpoint
const deliver = (remoteAddress: string) =>
  shop.inject({ method, url, remoteAddress, headers: { 'stripe-signature': 't=1,v1=x' } })

it('Webhook deliveries above 300 a minute from one IP address are refused before their signature is checked', async () => {
  const transactions = vi.spyOn(shop.database.database, 'transaction')
  for (let count = 0; count < 300; count += 1) {
    expect((await deliver('192.0.2.1')).statusCode).toBe(400)
  }
  const beyond = await deliver('192.0.2.1')
  expect([beyond.statusCode, beyond.headers['retry-after']]).toEqual([503, '1'])
  expect((await deliver('192.0.2.2')).statusCode).toBe(400)
  clock.ms += 1_000
  expect((await deliver('192.0.2.1')).statusCode).toBe(400)
  expect(transactions).not.toHaveBeenCalled()
  transactions.mockRestore()
})
