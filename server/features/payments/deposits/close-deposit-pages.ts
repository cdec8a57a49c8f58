import { asServer } from '#server/platform/database/identities.ts'
import { closeInTime, type PaymentPages } from '../checkout/close-in-time.ts'
import { expireSession } from '../checkout/invoice-sessions.ts'
import { recordClosedSessions } from '../checkout/payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'
import { settleDeposit } from './settle-deposit.ts'

/**
 * Closes the open payment pages of a deposit, so that the customer does not pay twice. If a page cannot be closed
 * and the customer pays on it, the payment is refunded later.
 */
export async function closeDepositPages(
  context: PaymentContext,
  estimateId: string,
): Promise<PaymentPages> {
  const sessionIds = await listOpenSessions(context, estimateId)
  if (sessionIds.length === 0) return 'none'
  return closeInTime(
    context,
    close(context, sessionIds),
    'open payment pages of a deposit could not be closed',
  )
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
