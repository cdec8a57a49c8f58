import type { FastifyRequest } from 'fastify'
import { networkOf } from '#server/platform/http/limits/client-address.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { LookupResult } from './lookup-invoice.ts'

const day = 86_400

/**
 * Limits on lookups of unknown invoice numbers: high enough for a customer who mistypes a number, too low for guessing
 * numbers.
 */
export const unknownNumberLimits: readonly Limit[] = [
  { name: 'invoice-unknown', max: 20, windowSeconds: 300 },
  { name: 'invoice-unknown', max: 60, windowSeconds: day },
  {
    name: 'invoice-unknown-network',
    max: 300,
    windowSeconds: day,
    subject: ({ ip }) => networkOf(ip, { ipv4: 24, ipv6: 48 }),
  },
]

/**
 * Runs an invoice lookup that is already counted toward the limits. Unless the invoice number is unknown, removes the
 * lookup from the counters, so that successful lookups do not use up the limits.
 */
export async function chargeUnknown(
  limits: RateLimits,
  request: FastifyRequest,
  lookUp: () => Promise<LookupResult>,
): Promise<LookupResult> {
  let isUnknown = false
  try {
    const result = await lookUp()
    isUnknown = !result.ok && result.refusal.code === 'NOT_FOUND'
    return result
  } finally {
    if (!isUnknown) await limits.forgive(request)
  }
}
