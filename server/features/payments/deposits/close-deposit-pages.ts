import { setTimeout as delay } from 'node:timers/promises'
import { asServer } from '#server/platform/database/identities.ts'
import { expireSession } from '../checkout/invoice-sessions.ts'
import { recordClosedSessions } from '../checkout/payment-pages.ts'
import type { PaymentPages } from '../counter/close-payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'
import { stripeFailure } from '../stripe.ts'
import { settleDeposit } from './settle-deposit.ts'

/** The time limit for the payment provider to close open pages. After that, the deposit is recorded without waiting. */
const patienceMs = 10_000

/**
 * Closes the open payment pages of a deposit. A payment on a page that could not be closed is refunded later; closing
 * the page prevents the customer from paying twice.
 */
export async function closeDepositPages(
  context: PaymentContext,
  estimateId: string,
): Promise<PaymentPages> {
  const sessionIds = await listOpenSessions(context, estimateId)
  if (sessionIds.length === 0) return 'none'
  const closing = close(context, sessionIds)
  // A failure after the time limit is ignored, because the payment pages expire by themselves.
  closing.catch(() => undefined)
  const timeout = new AbortController()
  try {
    return await Promise.race([
      closing,
      delay(patienceMs, 'unknown' as const, { signal: timeout.signal }),
    ])
  } catch (error) {
    if (stripeFailure(error) === undefined) throw error
    context.report('open payment pages of a deposit could not be closed', error)
    return 'unknown'
  } finally {
    timeout.abort()
  }
}

async function listOpenSessions(
  { database }: PaymentContext,
  estimateId: string,
): Promise<string[]> {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `select session_id from internal.payment_pages
       where estimate_id = $1 and closed_at is null and session_id is not null and expires_at > now()`,
      [estimateId],
    ),
  )
  return rows.flatMap(({ session_id: id }) => (id === null ? [] : [id]))
}

async function close(
  context: PaymentContext,
  sessionIds: readonly string[],
): Promise<PaymentPages> {
  let isPaid = false
  for (const sessionId of sessionIds) {
    if (await expireSession(context.stripe, sessionId)) {
      await context.database.transaction(asServer, (query) =>
        recordClosedSessions(query, [sessionId]),
      )
    } else isPaid = (await settleDeposit(context, sessionId)) === 'held' || isPaid
  }
  return isPaid ? 'paid' : 'closed'
}
