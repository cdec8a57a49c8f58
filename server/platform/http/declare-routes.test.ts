import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { sendRefusal } from './errors.ts'
import { declareRoutes, enforceDeclarations } from './declare-routes.ts'
import type { Limit } from './limits/rate-limits.ts'

const limit: Limit = { name: 'a limit', max: 1, windowSeconds: 60 }

/** Creates an app whose clients are not signed in and have used up all rate limits. */
function createApp(): { readonly app: FastifyInstance; readonly counted: string[] } {
  const app = Fastify()
  const counted: string[] = []
  enforceDeclarations(app, {
    checks: {
      'own page': async () => undefined,
      staff: async () => undefined,
      admin: async (_request, reply) => sendRefusal(reply, 'UNAUTHENTICATED'),
      owner: async (_request, reply) => sendRefusal(reply, 'NOT_ALLOWED'),
      'step-up': async (_request, reply) => sendRefusal(reply, 'STEP_UP_REQUIRED'),
    },
    limits: {
      limit:
        (...limits) =>
        async (_request, reply) => {
          counted.push(...limits.map(({ name }) => name))
          return reply.code(429).send()
        },
      attemptsLeft: () => undefined,
      consume: async () => undefined,
      forgive: async () => undefined,
      sweep: async () => 0,
    },
  })
  return { app, counted }
}

const answer = async () => 'answer'

it('the app refuses to start with a route that declares no rights', async () => {
  const { app } = createApp()
  void app.register(async (feature) => {
    feature.get('/open', answer)
  })
  await expect(app.ready()).rejects.toThrow('The route GET /open declares no access rights.')
})

it('a public route responds to a visitor without a session', async () => {
  const { app } = createApp()
  app.get('/open', { config: { rights: 'public' } }, answer)
  expect((await app.inject('/open')).body).toBe('answer')
})

it('a route checks the rights before it counts the request for the rate limit, even for HEAD requests', async () => {
  const { app, counted } = createApp()
  app.get('/staff', { config: { rights: 'admin', limit: [limit] } }, answer)
  app.get('/open', { config: { rights: 'public', limit: [limit] } }, answer)
  for (const method of ['GET', 'HEAD'] as const) {
    expect((await app.inject({ method, url: '/staff' })).statusCode).toBe(401)
    expect((await app.inject({ method, url: '/open' })).statusCode).toBe(429)
  }
  expect(counted).toEqual(['a limit', 'a limit'])
})

it('declareRoutes applies the rights of a plugin scope only to the routes in that scope', async () => {
  const { app } = createApp()
  app.get('/open', { config: { rights: 'public' } }, answer)
  void app.register(async (scope) => {
    declareRoutes(scope, { rights: 'admin' })
    scope.get('/inside', answer)
    void scope.register(async (nested) => {
      nested.get('/nested', answer)
      nested.get('/nested-open', { config: { rights: 'public' } }, answer)
    })
  })
  const statusOf = async (url: string) => (await app.inject(url)).statusCode
  expect(await Promise.all(['/open', '/inside', '/nested', '/nested-open'].map(statusOf))).toEqual([
    200, 401, 401, 200,
  ])
  expect(app.declaredRoutes).toContainEqual({ method: 'GET', path: '/nested', rights: 'admin' })
})

it('the app runs the hooks of a route only after its rights check', async () => {
  const { app } = createApp()
  const preHandler = async () => {
    throw new Error('must not run')
  }
  app.get('/staff', { config: { rights: 'admin' }, preHandler }, answer)
  expect((await app.inject('/staff')).statusCode).toBe(401)
})

it('a route requires step-up authentication after the rights check and before the rate limit', async () => {
  const { app, counted } = createApp()
  app.post('/stranger', { config: { rights: 'admin', stepUp: true, limit: [limit] } }, answer)
  app.post('/staff', { config: { rights: 'staff', stepUp: true, limit: [limit] } }, answer)
  const codeOf = async (url: string) =>
    (await app.inject({ method: 'POST', url })).json<{ code: string }>().code
  expect([await codeOf('/stranger'), await codeOf('/staff')]).toEqual([
    'UNAUTHENTICATED',
    'STEP_UP_REQUIRED',
  ])
  expect(counted).toEqual([])
})
