import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import {
  createAddressBuckets,
  createBuckets,
  createRequestBuckets,
  limitFloods,
} from './request-buckets.ts'

describe('a token bucket of 60 requests a minute', () => {
  const fill = (maxClients?: number) => {
    const clock = { ms: 0 }
    return { clock, buckets: createBuckets(60, () => clock.ms, maxClients) }
  }

  it('allows 60 requests in a burst, then one request a second', () => {
    const { clock, buckets } = fill()
    for (let count = 0; count < 60; count += 1) expect(buckets.consume('a')).toBeUndefined()
    expect(buckets.consume('a')).toBe(1)
    clock.ms += 999
    expect(buckets.consume('a')).toBe(1)
    clock.ms += 1
    expect(buckets.consume('a')).toBeUndefined()
    expect(buckets.consume('a')).toBe(1)
  })

  it('never contains more tokens than those of one minute', () => {
    const { clock, buckets } = fill()
    buckets.consume('a')
    clock.ms += 3_600_000
    const passed = Array.from({ length: 100 }, () => buckets.consume('a')).filter(
      (wait) => wait === undefined,
    )
    expect(passed).toHaveLength(60)
  })

  it('gives an expensive request all tokens that it costs, or none if too few are left', () => {
    const { clock, buckets } = fill()
    expect(buckets.consume('a', 55)).toBeUndefined()
    expect(buckets.consume('a', 10)).toBe(5)
    for (let count = 0; count < 5; count += 1) expect(buckets.consume('a')).toBeUndefined()
    clock.ms += 10_000
    expect(buckets.consume('a', 10)).toBeUndefined()
  })

  it('is separate for each client', () => {
    const { buckets } = fill()
    for (let count = 0; count < 61; count += 1) buckets.consume('a')
    expect(buckets.consume('a')).toBeDefined()
    expect(buckets.consume('b')).toBeUndefined()
  })

  it('is deleted when there are too many clients and its last request is the oldest', () => {
    const { buckets } = fill(2)
    for (let count = 0; count < 61; count += 1) buckets.consume('knocking')
    buckets.consume('b')
    buckets.consume('knocking')
    buckets.consume('c')
    expect(buckets.consume('knocking')).toBeDefined()
  })

  it('still contains tokens when the clock is set back', () => {
    const { clock, buckets } = fill()
    clock.ms = 1_000_000
    buckets.consume('a')
    clock.ms = 0
    expect(buckets.consume('a')).toBeUndefined()
  })
})

describe('the buckets of IP addresses', () => {
  /**
   * Sends 20 requests from each of `clients` IP addresses, with a limit of 10 a minute for each client. Returns how
   * many are allowed.
   */
  const passed = (clients: number, addressOf: (nth: number) => string) => {
    const buckets = createAddressBuckets(10, () => 0)
    const waits = Array.from({ length: clients * 20 }, (_, nth) =>
      buckets.consume(addressOf(nth % clients)),
    )
    return waits.filter((wait) => wait === undefined).length
  }

  it.each([
    ['one address', 1, () => '192.0.2.1', 10],
    ['IPv4 neighbors, who are different customers', 8, (nth: number) => `192.0.2.${nth}`, 80],
    ['the addresses of one IPv6 /64', 8, (nth: number) => `2001:db8::${nth}`, 10],
    ['the networks of one IPv6 /48', 8, (nth: number) => `2001:db8:0:${nth}::1`, 40],
    ['different IPv6 sites', 8, (nth: number) => `2001:db8:${nth}::1`, 80],
  ])('allow the expected number of requests from %s', (_case, clients, addressOf, expected) => {
    expect(passed(clients, addressOf)).toBe(expected)
  })
})

describe('the limit on floods of requests', () => {
  function openSite() {
    const app = Fastify()
    const sessionOf = ({ headers }: FastifyRequest) => headers['x-session']?.toString()
    limitFloods(app, createRequestBuckets({ perMinute: 1, now: () => 0, sessionOf }))
    app.get('/rest/v1/:relation', () => 'rows')
    app.get('/api/thing', () => 'thing')
    app.get('/visit', () => 'page')
    app.get('/assets/*', { config: { uncounted: 'static file' } }, () => 'file')
    return app
  }
  const statusAfterOne = async (url: string) => {
    const app = openSite()
    await app.inject(url)
    return (await app.inject(url)).statusCode
  }

  it.each(['/rest/v1/a', '/%72est/v1/a', '/api/thing?x', '/%61pi/thing', '/visit', '/unknown'])(
    'counts a request for %s, however its URL is spelled',
    async (url) => expect(await statusAfterOne(url)).toBe(429),
  )

  it('does not count a request for a route that is marked as uncounted', async () =>
    expect(await statusAfterOne('/assets/a.js')).toBe(200))

  it('counts the requests of a staff session separately from those of its IP address', async () => {
    const app = openSite()
    const sendRequest = async (remoteAddress: string, session?: string) => {
      const headers = session === undefined ? {} : { 'x-session': session }
      return (await app.inject({ url: '/visit', remoteAddress, headers })).statusCode
    }
    expect([await sendRequest('192.0.2.1'), await sendRequest('192.0.2.1')]).toEqual([200, 429])
    expect([await sendRequest('192.0.2.1', 'a'), await sendRequest('192.0.2.1', 'b')]).toEqual([
      200, 200,
    ])
    expect(await sendRequest('192.0.2.2', 'a')).toBe(429)
  })

  it('sends its refusal as text for a page, and in the API error format for the API', async () => {
    const app = openSite()
    await app.inject('/visit')
    expect((await app.inject('/visit')).body).toMatch(/^Too many attempts\./)
    expect((await app.inject('/api/thing')).json()).toMatchObject({ code: 'RATE_LIMITED' })
  })
})
