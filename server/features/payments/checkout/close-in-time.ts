import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentContext } from '../payment-context.ts'
import { stripeFailure } from '../stripe.ts'

/**
 * The result of closing the customer's online payment pages before staff record a payment at the counter. none: no page
 * was open. closed: all open pages were closed. paid: the customer paid on a page before it was closed. unknown: the
 * payment provider did not respond in time.
 */
export type PaymentPages = 'none' | 'closed' | 'paid' | 'unknown'

/**
 * The time limit for the payment provider to close the open payment pages. After this time, the payment at the
 * counter is recorded nevertheless.
 */
const patienceMs = 10_000

/**
 * Waits until the open payment pages are closed, but at most until the time limit. `failure` is the text for the log
 * if Stripe fails.
 */
export async function closeInTime(
  context: PaymentContext,
  closing: Promise<PaymentPages>,
  failure: string,
): Promise<PaymentPages> {
  // If closing the pages fails after the time limit, the error is ignored, because payment pages expire by themselves.
  closing.catch(() => undefined)
  const timeout = new AbortController()
  try {
    return await Promise.race([
      closing,
      delay(patienceMs, 'unknown' as const, { signal: timeout.signal }),
    ])
  } catch (error) {
    if (stripeFailure(error) === undefined) throw error
    context.report(failure, error)
    return 'unknown'
  } finally {
    timeout.abort()
  }
}
