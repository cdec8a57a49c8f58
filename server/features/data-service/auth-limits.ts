import type { AuthLimits } from '@local/data-service'
import { signInLimits } from '#server/features/admin-session/sign-in/sign-in-limits.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { sendTooManyRequests } from '#server/platform/http/limits/too-many-requests.ts'

const refreshLimit: Limit = { name: 'refresh', max: 120, windowSeconds: 60 }

/**
 * Creates the rate limits of `/auth/v1`. A sign-in at this API counts toward the same limit as a sign-in to the
 * dashboard.
 */
export function createAuthLimits(limits: RateLimits): AuthLimits {
  return {
    countSignIn: (request, email) => limits.consume(request, signInLimits(email)),
    forgiveSignIn: (request) => limits.forgive(request),
    countRefresh: (request) => limits.consume(request, [refreshLimit]),
    sendTooManyRequests,
  }
}
