import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createRefusalMemory } from './refusal-cache.ts'
import { createRateLimits, type Limit, type RateLimits } from './rate-limits.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  refusals.clear()
  await database.owner.query('delete from internal.rate_limits')
})

const clock = { ms: 0 }
const refusals = createRefusalMemory(() => clock.ms)

/** Ends the time window of the limit `threeAMinute`, in the database and in memory. */
async function passMinute(): Promise<void> {
  clock.ms += 60_000
  await database.owner.query(
    `update internal.rate_limits set resets_at = now() where resets_at < now() + interval '2 minutes'`,
  )
}

const threeAMinute: Limit = { name: 'test', max: 3, windowSeconds: 60 }

function openLimits(isEnforced = true): RateLimits {
  return createRateLimits({ database: database.database, key: 'k', isEnforced, refusals })
}

/** Creates a site with one limited route; `trusted` are its trusted proxies. */
function openSite(limits: Limit[], trusted: string[] | false = false): FastifyInstance {
  const site = Fastify({ trustProxy: trusted })
  site.post('/api/form', { preHandler: openLimits().limit(...limits) }, () => ({ ok: true }))
  return site
}

function post(site: FastifyInstance, remoteAddress: string, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return site.inject({ method: 'POST', url: '/api/form', remoteAddress, headers })
}

async function countersNow() {
  return (await database.owner.query('select * from internal.rate_limits order by key')).rows
}

async function statuses(times: number, attempt: () => Promise<{ statusCode: number }>) {
  const seen: number[] = []
  for (let count = 0; count < times; count += 1) seen.push((await attempt()).statusCode)
  return seen
}

describe('a limit of three requests a minute', () => {
  it('refuses the fourth request with 429, a message and the seconds to wait', async () => {
    const site = openSite([threeAMinute])
    expect(await statuses(3, () => post(site, '192.0.2.1'))).toEqual([200, 200, 200])
    const response = await post(site, '192.0.2.1')
    expect(response.statusCode).toBe(429)
    const wait = Number(response.headers['retry-after'])
    expect(response.json()).toEqual({
      ok: false,
      code: 'RATE_LIMITED',
      message: rateLimitMessage(wait),
      waitSeconds: wait,
    })
    expect(wait).toBeGreaterThan(55)
    expect(wait).toBeLessThanOrEqual(60)
  })

  it('allows three more requests after a minute', async () => {
    const site = openSite([threeAMinute])
    await statuses(4, () => post(site, '192.0.2.1'))
    await passMinute()
    expect(await statuses(4, () => post(site, '192.0.2.1'))).toEqual([200, 200, 200, 429])
  })

  it('allows exactly three of fifty simultaneous requests in two processes', async () => {
    const sites = [openSite([threeAMinute]), openSite([threeAMinute])]
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post(sites[index % 2] ?? openSite([]), '192.0.2.1')),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
  })

  it('applies together with a limit over a longer window', async () => {
    const fiveAnHour = { ...threeAMinute, max: 5, windowSeconds: 3_600 }
    const site = openSite([threeAMinute, fiveAnHour])
    await statuses(3, () => post(site, '192.0.2.1'))
    await passMinute()
    expect(await statuses(3, () => post(site, '192.0.2.1'))).toEqual([200, 200, 429])
  })

  it('does not use up a shared limit with requests that it refuses itself', async () => {
    const shared: Limit = { name: 'all', max: 5, windowSeconds: 60, subject: () => 'all' }
    const site = openSite([threeAMinute, shared])
    await statuses(20, () => post(site, '192.0.2.1'))
    expect(await statuses(3, () => post(site, '192.0.2.2'))).toEqual([200, 200, 429])
  })

  it('refuses further requests from memory without a database transaction, with a decreasing waiting time', async () => {
    const site = openSite([threeAMinute])
    await statuses(4, () => post(site, '192.0.2.1'))
    const transactions = vi.spyOn(database.database, 'transaction')
    const before = await countersNow()
    clock.ms += 20_000
    const refused = await post(site, '192.0.2.1')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40'])
    expect(transactions).not.toHaveBeenCalled()
    expect(await countersNow()).toEqual(before)
    expect((await post(site, '192.0.2.2')).statusCode).toBe(200)
    expect(transactions).toHaveBeenCalledOnce()
    transactions.mockRestore()
  })

  it('allows a request with a lower cost after it refused a request with a higher cost', async () => {
    const cost = (request: FastifyRequest) => Number(request.headers['x-cost'] ?? 1)
    const site = openSite([{ ...threeAMinute, cost }])
    const attempt = (size: string) =>
      site.inject({ method: 'POST', url: '/api/form', headers: { 'x-cost': size } })
    const responses = [
      await attempt('2'),
      await attempt('2'),
      await attempt('2'),
      await attempt('1'),
      await attempt('1'),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 429, 429, 200, 429])
  })

  it('stores no IP address', async () => {
    await post(openSite([threeAMinute]), '192.0.2.1')
    const { rows } = await database.owner.query<{ key: Buffer }>(
      'select key from internal.rate_limits',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.key).toHaveLength(32)
  })
})

describe('the client that a limit counts', () => {
  it('is the IP address of the connection if no proxy is configured; X-Forwarded-For is then ignored', async () => {
    const site = openSite([threeAMinute])
    let count = 0
    const disguised = () => post(site, '192.0.2.1', `203.0.113.${(count += 1)}`)
    expect(await statuses(4, disguised)).toEqual([200, 200, 200, 429])
    expect((await post(site, '192.0.2.2')).statusCode).toBe(200)
  })

  it('is the IP address that a trusted proxy forwards, so that visitors behind the proxy are counted separately', async () => {
    const site = openSite([threeAMinute], ['10.0.0.1'])
    let count = 0
    const visitors = () => post(site, '10.0.0.1', `203.0.113.${(count += 1)}`)
    expect(await statuses(4, visitors)).toEqual([200, 200, 200, 200])
    const oneVisitor = () => post(site, '10.0.0.1', '198.51.100.1')
    expect(await statuses(4, oneVisitor)).toEqual([200, 200, 200, 429])
  })

  it('is the IP address that the proxy added last to X-Forwarded-For, not an IP address that the client sent', async () => {
    const site = openSite([threeAMinute], ['10.0.0.1'])
    let count = 0
    const forged = () => post(site, '10.0.0.1', `203.0.113.${(count += 1)}, 198.51.100.2`)
    expect(await statuses(4, forged)).toEqual([200, 200, 200, 429])
  })

  it('is a whole IPv6 /64 network', async () => {
    const site = openSite([threeAMinute])
    let count = 0
    const roaming = () => post(site, `2001:db8::${(count += 1)}`)
    expect(await statuses(4, roaming)).toEqual([200, 200, 200, 429])
    expect((await post(site, '2001:db8:0:1::1')).statusCode).toBe(200)
  })
})

describe('the counters of the rate limits', () => {
  it('are decreased again by `forgive`, for example after a correct password', async () => {
    const limits = openLimits()
    const site = Fastify()
    site.post('/api/form', { preHandler: limits.limit(threeAMinute) }, (request) =>
      limits.forgive(request).then(() => ({ ok: true })),
    )
    expect(await statuses(8, () => post(site, '192.0.2.1'))).not.toContain(429)
  })

  it('are read from the database again after `forgive` has decreased them, if another request had exhausted one of them', async () => {
    const limits = openLimits()
    const site = Fastify()
    site.post('/api/form', { preHandler: limits.limit(threeAMinute) }, (request) =>
      post(site, '192.0.2.1')
        .then(() => limits.forgive(request))
        .then(() => ({ ok: true })),
    )
    expect((await post(site, '192.0.2.1')).statusCode).toBe(200)
    expect((await post(site, '192.0.2.1')).statusCode).toBe(200)
  })

  it('are not stored when rate limits are off', async () => {
    const site = Fastify()
    const preHandler = openLimits(false).limit(threeAMinute)
    site.post('/api/form', { preHandler }, () => ({ ok: true }))
    expect(await statuses(5, () => post(site, '192.0.2.1'))).not.toContain(429)
    const { rowCount } = await database.owner.query('select from internal.rate_limits')
    expect(rowCount).toBe(0)
  })

  it('are deleted after the end of their time window, and not before', async () => {
    const site = openSite([threeAMinute])
    await post(site, '192.0.2.1')
    await post(site, '192.0.2.2')
    expect(await openLimits().sweep()).toBe(0)
    await database.owner.query(
      `update internal.rate_limits set resets_at = now()
       where key = (select key from internal.rate_limits limit 1)`,
    )
    expect(await openLimits().sweep()).toBe(1)
  })
})
