import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type AuthContext,
  type Authenticate,
  mountFunctions,
  type PasswordQueue,
  registerAuth,
  registerRest,
  type ServerFunction,
} from '@local/data-service'
import type { Database } from '@local/postgres'
import { limitForms } from '#server/features/form-guard/form-limits.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { createAuthLimits } from './auth-limits.ts'
import { formHeaders } from './database-headers.ts'

export type DataServiceDependencies = {
  readonly database: Database
  readonly auth: AuthContext
  readonly authenticate: Authenticate
  readonly passwordQueue: PasswordQueue
  readonly limits: RateLimits
  readonly functions: Readonly<Record<string, ServerFunction>>
  readonly publicUrl: string
  /**
   * Subtracts the cost of a visitor's request, in tokens, from the rate limit of the client's IP address. Returns the
   * seconds to wait when the limit is exceeded, otherwise undefined. The function is absent when rate limits are off.
   */
  readonly spend?: (request: FastifyRequest, tokens: number) => number | undefined
}

const functionLimit: Limit = { name: 'functions', max: 30, windowSeconds: 60 }

/** Serves the API of a Supabase backend to supabase-js in the browser: `/auth/v1`, `/rest/v1`, `/functions/v1`. */
export function registerDataService(
  scope: FastifyInstance,
  dependencies: DataServiceDependencies,
): void {
  const { database, auth, authenticate, passwordQueue, limits, functions, publicUrl, spend } =
    dependencies
  declareRoutes(scope, { rights: 'access token', limit: 'in handler' })
  limitForms(scope, { limits, authenticate })
  registerAuth(scope, { auth, passwordQueue, limits: createAuthLimits(limits) })
  registerRest(scope, {
    database,
    authenticate,
    publicUrl,
    allowedHeaders: formHeaders,
    ...(spend && { spend }),
  })
  mountFunctions(scope, {
    functions,
    authenticate,
    publicUrl,
    allowedHeaders: formHeaders,
    passedHeaders: ['x-form-token'],
    limitCalls: limits.limit(functionLimit),
  })
}
