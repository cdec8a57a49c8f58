import { createClient } from '@supabase/supabase-js'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountFunctions, type ServerFunction } from './mount-functions.ts'
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
  refuse: () => Promise.resolve(Response.json({ error: 'No such book' }, { status: 404 })),
  crash: () => Promise.reject(new Error('grace@reader.example is not welcome')),
}

let caller: Caller = visitor
let isLimited = false
let site: FastifyInstance
let origin: string

beforeAll(async () => {
  site = Fastify({ bodyLimit: 1_000 })
  mountFunctions(site, {
    functions,
    authenticate: () => caller,
    publicUrl: 'https://site.example',
    limitCalls: async (_request, reply) =>
      isLimited ? reply.code(429).send({ success: false }) : undefined,
  })
  origin = await site.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

const invoke = (name: string, body: object = {}) =>
  createClient(origin, 'the-key', { auth: { persistSession: false } }).functions.invoke<
    Record<string, unknown>
  >(name, { body })

describe('a server function', () => {
  it('receives the request of supabase-js as a standard web request', async () => {
    const { data, error } = await invoke('echo', { type: 'order' })
    expect(error).toBeNull()
    expect(data).toMatchObject({
      role: 'anon',
      url: 'https://site.example/functions/v1/echo',
      body: '{"type":"order"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer the-key' },
    })
  })

  it('receives no cookie and no header that is not on the allow-list', async () => {
    const response = await site.inject({
      method: 'POST',
      url: '/functions/v1/echo',
      headers: { cookie: 'admin_session=x', 'x-forwarded-for': '203.0.113.1', 'x-other': '1' },
      payload: {},
    })
    const { headers } = response.json<{ headers: object }>()
    expect(Object.keys(headers)).toEqual(['content-type'])
  })

  it('determines the status and the body of the response', async () => {
    const { error } = await invoke('refuse')
    const context = (error as { context: Response } | null)?.context
    expect([context?.status, await context?.json()]).toEqual([404, { error: 'No such book' }])
  })

  it('that throws an error causes status 500 and a general message without the text of the error', async () => {
    const response = await site.inject({ method: 'POST', url: '/functions/v1/crash', payload: {} })
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { success: false, error: 'Something went wrong on our side. Please try again.' },
    ])
  })

  it('is not called for a request that fails authentication', async () => {
    caller = unverified
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload: {} })
    caller = visitor
    expect([response.statusCode, response.json()]).toMatchObject([401, { message: 'JWT expired' }])
  })

  it('is not called when the rate limit refuses the call', async () => {
    isLimited = true
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload: {} })
    isLimited = false
    expect([response.statusCode, response.json()]).toEqual([429, { success: false }])
  })

  it('that does not exist causes status 404, even if its name is a property that every JavaScript object has', async () => {
    for (const name of ['nope', 'constructor', '__proto__', 'toString']) {
      const url = `/functions/v1/${name}`
      expect((await site.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
    }
  })

  it('is not called for a body above the maximum size', async () => {
    const payload = { text: 'x'.repeat(2_000) }
    const response = await site.inject({ method: 'POST', url: '/functions/v1/echo', payload })
    expect(response.statusCode).toBe(413)
  })
})
