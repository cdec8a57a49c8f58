import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '#server/app-dependencies.ts'
import { createLiveSessions } from '#server/features/admin-session/gateway/live-sessions.ts'
import { createRightsChecks } from '#server/features/admin-session/rights-checks.ts'
import { countResponses, createMetrics } from '#server/platform/health/metrics.ts'
import { enforceDeclarations } from '#server/platform/http/declare-routes.ts'
import { handleErrors } from '#server/platform/http/errors.ts'
import { createRateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { createRequestBuckets, limitFloods } from '#server/platform/http/limits/request-buckets.ts'
import { logRequests } from '#server/platform/http/request-log.ts'
import { secureHeaders } from '#server/platform/http/security-headers.ts'

/**
 * The maximum number of requests per minute from one client or one staff sign-in session. A visitor who looks at the
 * free times of every day of the calendar sends about 700 requests. All people in a household or an office share one IP
 * address.
 */
const floodPerMinute = 1_500

export type RequestRules = Awaited<ReturnType<typeof applyRequestRules>>

/**
 * Applies the rules for every request: the request log, the response headers, the limit on requests per minute, and the
 * rights and rate limit that the route declares.
 */
export async function applyRequestRules(
  app: FastifyInstance,
  { config, database, keys, now, refusals }: AppDependencies,
) {
  const { publicUrl } = config
  const isCapped = config.rateLimits === 'enforced'
  const metrics = createMetrics(now)
  handleErrors(app)
  logRequests(app)
  countResponses(app, metrics)
  secureHeaders(app, publicUrl)
  await app.register(fastifyCookie)
  const liveSessions = createLiveSessions()
  const floods = createRequestBuckets({
    perMinute: floodPerMinute,
    now,
    sessionOf: (request) => liveSessions.sessionOf(request),
  })
  if (isCapped) limitFloods(app, floods)
  const limits = createRateLimits({
    database,
    key: keys.clientAddresses,
    isEnforced: isCapped,
    refusals,
  })
  const checks = createRightsChecks({ database, now, publicUrl, liveSessions })
  enforceDeclarations(app, { checks, limits })
  return { isCapped, metrics, liveSessions, floods, limits }
}
