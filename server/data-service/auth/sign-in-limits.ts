import type { Limit } from '#server/platform/rate-limits.ts'
import { normalizeEmail } from './users.ts'

/**
 * How often a password may be tried, shared by every door that takes one; a right one is given back.
 * The account's own limit stops many machines on one account. It is far above what one address may
 * try in that hour, so that nobody can lock the owner out from one place.
 */
export function signInLimits(email: string): Limit[] {
  return [
    { name: 'sign-in', max: 10, windowSeconds: 60 },
    { name: 'sign-in', max: 30, windowSeconds: 3_600 },
    {
      name: 'sign-in-account',
      max: 100,
      windowSeconds: 3_600,
      subject: () => normalizeEmail(email),
    },
  ]
}
