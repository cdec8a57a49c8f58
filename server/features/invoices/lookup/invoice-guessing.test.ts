import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp({ rateLimits: 'enforced' })
})
beforeEach(emptyCounters)
afterAll(() => shop.close())

async function emptyCounters(): Promise<void> {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
}

async function lookUpFrom(remoteAddress: string, invoiceNumber: string): Promise<number> {
  const url = '/api/invoice/lookup'
  const payload = { invoiceNumber }
  return (await shop.inject({ method: 'POST', url, payload, remoteAddress })).statusCode
}

/** Resets the counters of the five-minute limits, but not those of the daily limits. */
async function passMinutes(): Promise<void> {
  shop.forgetRefusals()
  await shop.database.owner.query(
    `update internal.rate_limits set resets_at = now() where resets_at < now() + interval '1 hour'`,
  )
}

async function statuses(
  count: number,
  attempt: (index: number) => Promise<number>,
): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index += 1) seen.push(await attempt(index))
  return seen
}

describe('a client that guesses invoice numbers', () => {
  it('finds no other invoice when it changes the count or the random ending of a known number', async () => {
    const { number } = await shop.createInvoice()
    const next = await shop.createInvoice()
    const [prefix, year, count = '', ending = ''] = number.split('-')
    const neighbours = [
      `${prefix}-${year}-${String(Number(count) + 1).padStart(4, '0')}-${ending}`,
      `${prefix}-${year}-${String(Number(count) + 1).padStart(4, '0')}`,
      `TT-${String(Number(count) + 1).padStart(4, '0')}`,
      `${prefix}-${year}-${count}`,
    ]
    for (const neighbour of neighbours) expect(await lookUpFrom('192.0.2.1', neighbour)).toBe(404)
    expect(await lookUpFrom('192.0.2.1', next.number)).toBe(200)
  })

  it(
    'is refused after sixty unknown numbers a day from one IP address, however slowly it sends them',
    { timeout: 60_000 },
    async () => {
      const seen: number[] = []
      for (let round = 0; round < 4; round += 1) {
        seen.push(
          ...(await statuses(20, (index) => lookUpFrom('192.0.2.2', `NOPE-${round}-${index}`))),
        )
        await passMinutes()
      }
      expect(seen.filter((status) => status === 404)).toHaveLength(60)
      expect(seen.slice(60)).toEqual(Array(20).fill(429))
    },
  )

  it.each([
    ['/24', (index: number) => `192.0.2.${index}`, '192.0.3.1'],
    ['/48 of IPv6', (index: number) => `2001:db8:1:${index.toString(16)}::1`, '2001:db8:2::1'],
  ])(
    'is refused after three hundred unknown numbers a day from one network of size %s',
    async (_name, addressOf, elsewhere) => {
      const seen: number[] = []
      for (let round = 0; round < 31; round += 1) {
        const ten = Array.from({ length: 10 }, (_, index) => round * 10 + index)
        const attempt = (index: number) => lookUpFrom(addressOf(index % 250), `NOPE-${index}`)
        seen.push(...(await Promise.all(ten.map(attempt))))
      }
      expect(seen.filter((status) => status === 404)).toHaveLength(300)
      expect(seen.slice(300)).toEqual(Array(10).fill(429))
      expect(await lookUpFrom(elsewhere, 'NOPE')).toBe(404)
    },
    60_000,
  )
})

describe('a client that knows an invoice number', () => {
  it(
    'is not limited by successful lookups or by malformed numbers',
    { timeout: 60_000 },
    async () => {
      const { number } = await shop.createInvoice()
      await emptyCounters()
      const one = () => lookUpFrom('192.0.2.9', number)
      const seen = await statuses(100, one)
      // Sends fifteen simultaneous requests from one IP address. The requests do not deadlock, because the database
      // locks the counters of an IP address in a fixed order.
      for (let round = 0; round < 5; round += 1) {
        seen.push(...(await Promise.all(Array.from({ length: 15 }, one))))
      }
      expect(new Set(seen)).toEqual(new Set([200]))
      for (let index = 0; index < 30; index += 1) await lookUpFrom('192.0.2.9', 'no number')
      expect(await lookUpFrom('192.0.2.9', number)).toBe(200)
      const { rows } = await shop.database.owner.query(
        'select taken from internal.rate_limits where taken > 0',
      )
      expect(rows).toEqual([])
    },
  )

  it('does not use up the limit on unknown numbers with lookups that fail during a Stripe outage', async () => {
    shop.breakCalls(() => 'before')
    const seen = await statuses(30, () => lookUpFrom('192.0.2.10', 'INV-1'))
    shop.breakCalls(undefined)
    expect(new Set(seen)).toEqual(new Set([502]))
  })
})
