import type { FastifyRequest } from 'fastify'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { staffEmail } from '../gateway/auth-gateway.ts'
import { readKnownBrowserCookie } from './known-browser-cookie.ts'
import { returnAttempt, spendAttempt } from './known-browsers.ts'
import type { PasswordQueueName } from './password-queues.ts'
import { signInLimits } from './sign-in-limits.ts'

type Dependencies = {
  readonly database: Database
  readonly limits: RateLimits
  readonly now: () => number
}

/**
 * The result of a password attempt. 'unchecked' means that the server did not check the password, for example because
 * of overload.
 */
export type AttemptOutcome = 'right' | 'wrong' | 'unchecked'

/** The permission to check one password. */
export type AttemptAllowance = {
  readonly queue: PasswordQueueName
  record(outcome: AttemptOutcome): Promise<void>
}

export type RetryAfter = { readonly waitSeconds: number }

/**
 * Uses up a password attempt: a known browser (with an earlier sign-in) has its own attempts, all other browsers share
 * common limits.
 */
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
