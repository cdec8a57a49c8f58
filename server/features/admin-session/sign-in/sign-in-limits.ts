import { normalizeEmail } from '@local/data-service'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'

const quarterHourSeconds = 900

/**
 * The limits of password attempts from unknown browsers, in the dashboard and at the auth service. A right password
 * does not count. The first limit counts per IP address. A higher limit counts per account, for all IP addresses
 * together. Another limit counts all accounts together and bounds the processor time for hashing. Browsers from which
 * the account has signed in before are exempt: see `known-browsers.ts`.
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
