import { createTestClient } from '#tests/support/app/app.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendTooManyRequests } from '#server/platform/http/limits/too-many-requests.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { mountFunctions, type ServerFunction } from './functions-mount.ts'
import type { Caller } from './rest/caller.ts'

const visitor: Caller = { ok: true, identity: { role: 'anon' } }
const unverified: Caller = {
  ok: false,
  status: 401,
  body: { code: 'PGRST301', message: 'JWT expired', details: null, hint: null },
}

const functions: Record<string, ServerFunction> = {
  echo: async (request, { role }) =>
    Response.json({
      role,
      url: request.url,
      body: await request.text(),
      headers: Object.fromEntries(request.headers),
    }),
  refuse: () => Promise.resolve(Response.json({ error: 'No such booking' }, { status: 404 })),
  crash: () => Promise.reject(new Error('grace@customer.example is not welcome')),
}

let caller: Caller = visitor
let isLimited = false
let site: FastifyInstance
let origin: string

beforeAll(async () => {
  site = Fastify({ bodyLimit: 1_000 })
  const limits = {
    limit: () => async (request, reply) =>
      isLimited ? sendTooManyRequests(request, reply, 7) : undefined,
  } as Pick<RateLimits, 'limit'> as RateLimits
  const authenticate = () => caller
  mountFunctions(site, { functions, authenticate, limits, publicUrl: 'https://shop.example' })
  origin = await site.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

const invoke = (name: string, body: object = {}) =>
  createTestClient(origin, 'the-key').functions.invoke<Record<string, unknown>>(name, { body })

describe('a server function', () => {
  it('gets what the real client sends, as a web request', async () => {
    const { data, error } = await invoke('echo', { type: 'booking' })
    expect(error).toBeNull()
    expect(data).toMatchObject({
      role: 'anon',
      url: 'https://shop.example/functions/v1/echo',
      body: '{"type":"booking"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer the-key' },
    })
  })

  it('sees no cookie and no address that the client made up', async () => {
    const response = await site.inject({
      method: 'POST',
      url: '/functions/v1/echo',
      headers: { cookie: 'admin_session=x', 'x-forwarded-for': '203.0.113.1', 'x-other': '1' },
      payload: {},
    })
    const { headers } = response.json<{ headers: object }>()
    expect(Object.keys(headers)).toEqual(['content-type'])
  })

  it('chooses its own status and body', async () => {
    const { error } = await invoke('refuse')
    const context = (error as { context: Response } | null)?.context
    expect([context?.status, await context?.json()]).toEqual([404, { error: 'No such booking' }])
  })

  it('that fails says nothing of why', async () => {
    const response = await site.inject({ method: 'POST', url: '/functions/v1/crash', payload: {} })
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { success: false, error: 'Something went wrong on our side. Please try again.' },
    ])
  })

  it('is not run for a caller whose token does not hold', async () => {
    caller = unverified
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload: {} })
    caller = visitor
    expect([response.statusCode, response.json()]).toMatchObject([401, { message: 'JWT expired' }])
  })

  it('is not run too often', async () => {
    isLimited = true
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload: {} })
    isLimited = false
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '7'])
    expect(response.json()).toMatchObject({ success: false })
  })

  it('is 404 when there is none of that name, also for names that every object has', async () => {
    for (const name of ['nope', 'constructor', '__proto__', 'toString']) {
      const url = `/functions/v1/${name}`
      expect((await site.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
    }
  })

  it('gets no body beyond the limit', async () => {
    const payload = { text: 'x'.repeat(2_000) }
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload })
    expect(response.statusCode).toBe(413)
  })
})
