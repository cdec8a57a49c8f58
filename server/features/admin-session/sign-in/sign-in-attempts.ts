import type { FastifyRequest } from 'fastify'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { PasswordQueue } from '#packages/data-service/auth/password-queues.ts'
import { signInLimits } from '#packages/data-service/auth/sign-in-limits.ts'
import type { Database } from '#packages/postgres/database.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { staffEmail } from '../gateway/auth-gateway.ts'
import { readKnownBrowserCookie } from './known-browser-cookie.ts'
import { returnAttempt, spendAttempt } from './known-browsers.ts'

type Dependencies = {
  readonly database: Database
  readonly limits: RateLimits
  readonly now: () => number
}

/** What came of a try: a wrong password uses it up, a right one and one that nobody looked at may not. */
export type AttemptOutcome = 'right' | 'wrong' | 'unchecked'

/** The right to try one password. */
export type AttemptAllowance = {
  readonly queue: PasswordQueue
  record(outcome: AttemptOutcome): Promise<void>
}

export type RetryAfter = { readonly waitSeconds: number }

/** A known browser has tries of its own; everybody else shares what strangers have. */
export async function takeAttempt(
  { database, limits, now }: Dependencies,
  request: FastifyRequest,
  username: string,
): Promise<Result<AttemptAllowance, RetryAfter>> {
  const token = readKnownBrowserCookie(request)
  if (token !== undefined && (await spendAttempt(database, token, username, now()))) {
    return accepted({
      queue: 'known',
      async record(outcome) {
        if (outcome === 'unchecked') await returnAttempt(database, token, username)
      },
    })
  }
  const waitSeconds = await limits.consume(request, signInLimits(staffEmail(username)))
  if (waitSeconds !== undefined) return refused({ waitSeconds })
  return accepted({
    queue: 'unknown',
    async record(outcome) {
      if (outcome === 'right') await limits.forgive(request)
    },
  })
}
