import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())

/**
 * Requests unknown payments 31 times from each of eight IP addresses. Returns the number of requests that were not
 * refused.
 */
async function countLookups(addressOf: (nth: number) => string): Promise<number> {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
  let count = 0
  for (let nth = 0; nth < 8 * 31; nth += 1) {
    const { statusCode } = await shop.inject({
      url: `/api/payment/verify?invoiceId=in_nobody${nth}`,
      remoteAddress: addressOf(nth % 8),
    })
    if (statusCode !== 429) count += 1
  }
  return count
}

describe('requests for unknown payments', () => {
  it.each([
    ['the addresses of one /24', (nth: number) => `203.0.113.${nth}`],
    ['the networks of one IPv6 /48', (nth: number) => `2001:db8:0:${nth}::1`],
  ])('are limited to 240 in five minutes for %s', async (_case, addressOf) => {
    expect(await countLookups(addressOf)).toBe(240)
  })
})
