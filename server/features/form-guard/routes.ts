import type { FastifyInstance } from 'fastify'
import { formTokenEndpoint } from '#contracts/form-token.ts'
import { accepted } from '#domain/result.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import type { FormTokens } from './form-tokens.ts'

const tokenLimit: Limit = { name: 'form-token', max: 120, windowSeconds: 600 }

/**
 * Serves the form token that a public form sends with its data, so that the database knows how long ago the form was
 * opened.
 */
export function registerFormGuard(
  app: FastifyInstance,
  { tokens }: { readonly tokens: FormTokens },
): void {
  serve(app, formTokenEndpoint).with({
    limit: [tokenLimit],
    handle: async () => accepted(await tokens.issue()),
    present: (token) => ({ ok: true, token }),
  })
}
