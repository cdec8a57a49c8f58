import type { FastifyInstance } from 'fastify'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import type { FormTokens } from './form-tokens.ts'

const tokenLimit: Limit = { name: 'form-token', max: 120, windowSeconds: 600 }

/** GET /api/form-token: what a public form sends along, so that its age can be told. */
export function registerFormGuard(
  app: FastifyInstance,
  { tokens, limits }: { readonly tokens: FormTokens; readonly limits: RateLimits },
): void {
  app.get('/api/form-token', { preHandler: limits.limit(tokenLimit) }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { ok: true, token: await tokens.issue() }
  })
}
