import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import { normalizeEmail } from './users.ts'

const quarterHourSeconds = 900

/**
 * How often strangers may try passwords, at every door that takes one; a right one is given back. For one
 * address; for one account from many addresses, which is more than one address may try in that time;
 * for all accounts together, which is what the machine has to spare for hashing. Browsers in which the
 * account has signed in before are no strangers: see `server/features/admin-session/sign-in/known-browsers.ts`.
 */
export function signInLimits(email: string): Limit[] {
  return [
    { name: 'sign-in', max: 10, windowSeconds: 60 },
    { name: 'sign-in', max: 20, windowSeconds: 3_600 },
    {
      name: 'sign-in-account',
      max: 25,
      windowSeconds: quarterHourSeconds,
      subject: () => normalizeEmail(email),
    },
    {
      name: 'sign-in-strangers',
      max: 150,
      windowSeconds: quarterHourSeconds,
      subject: () => 'all',
    },
  ]
}
