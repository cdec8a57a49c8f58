import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, testAdmin, type TestApp } from '#tests/support/app/app.ts'

const perMinute = 1_500
const flooding = '192.0.2.1'
const elsewhere = '192.0.2.2'

let shop: TestApp
beforeAll(async () => {
  // The test stops the clock, because the flood limit (the limit on the requests of each client) permits further
  // requests as time passes.
  const start = Date.now()
  shop = await createTestApp({ now: () => start })
  await Promise.all(Array.from({ length: perMinute }, () => statusOf({ url: '/unknown' })))
})
afterAll(() => shop.close())

async function statusOf(request: InjectOptions): Promise<number> {
  return (await shop.inject({ remoteAddress: flooding, ...request })).statusCode
}

describe('a client that has used up its request limit', () => {
  it('is refused by every route except static files, health checks and the Stripe webhook', async () => {
    const uncounted: string[] = []
    for (const { method, path } of shop.app.declaredRoutes) {
      const url = path.replaceAll(/:\w+|\*$/g, 'x')
      const status = await statusOf({ method, url })
      if (status !== 429) uncounted.push(`${method} ${path}`)
    }
    expect(uncounted.toSorted()).toEqual([
      'GET /apple-touch-icon.png',
      'GET /assets/*',
      'GET /favicon.svg',
      'GET /healthz',
      'GET /icon-192.png',
      'GET /icon-512.png',
      'GET /readyz',
      'GET /social.png',
      'POST /api/stripe/webhook',
    ])
  })

  it.each(['/estimate/x', '/visit', '/calendar/x.ics', '/', '/unknown'])(
    'is refused at %s without a database query',
    async (url) => {
      const transactions = vi.spyOn(shop.database.database, 'transaction')
      expect(await statusOf({ url })).toBe(429)
      expect(transactions).not.toHaveBeenCalled()
      transactions.mockRestore()
      expect(await statusOf({ url, remoteAddress: elsewhere })).not.toBe(429)
    },
  )
})

describe('staff who share the IP address of a client that has used up its request limit', () => {
  it('can still use the dashboard with a session that this process has checked before', async () => {
    const cookie = await shop.logIn()
    const request = { url: '/api/operations', headers: { cookie } }
    expect(await statusOf(request)).toBe(429)
    expect(await statusOf({ ...request, remoteAddress: elsewhere })).toBe(200)
    expect(await statusOf(request)).toBe(200)
    await shop.inject({ method: 'POST', url: '/api/admin/logout', headers: { cookie } })
    expect(await statusOf({ ...request, remoteAddress: elsewhere })).toBe(401)
    expect(await statusOf(request)).toBe(429)
  })

  it('can still use the REST API', async () => {
    const login = { method: 'POST', url: '/api/admin/login', payload: testAdmin } as const
    const { session } = (await shop.inject(login)).json<{ session: { access_token: string } }>()
    const headers = { authorization: `Bearer ${session.access_token}` }
    const request = { url: '/rest/v1/tasks', headers }
    expect(await statusOf(request)).toBe(429)
    expect(await statusOf({ ...request, remoteAddress: elsewhere })).toBe(200)
    expect(await statusOf(request)).toBe(200)
  })

  it('do not share their request limit with a client that sends an invented session token', async () => {
    const cookie = `admin_session=${'x'.repeat(43)}`
    const payload = Buffer.from('{"session_id":"5f0c1f5e-0000-4000-8000-000000000000"}')
    const authorization = `Bearer e30.${payload.toString('base64url')}.x`
    for (const headers of [{ cookie }, { authorization }, { authorization: 'Bearer a.b.c' }]) {
      expect(await statusOf({ url: '/api/operations', headers, remoteAddress: elsewhere })).toBe(
        401,
      )
      expect(await statusOf({ url: '/api/operations', headers })).toBe(429)
    }
  })
})
