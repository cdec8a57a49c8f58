import { rowsAs } from '@local/postgres'
import type { Call } from '../api/route.ts'
import type { WireSession } from '../objects/wire.ts'

/** Expires an unpaid Checkout Session, which the caller must have locked. */
export async function expireSession(call: Call, session: WireSession): Promise<WireSession> {
  const expired = await call.store.save({ ...session, status: 'expired' })
  await call.emit('checkout.session.expired', expired)
  return expired
}

/**
 * Expires overdue Checkout Sessions, at most 100. Skips locked sessions, because their payment may be in progress.
 * @returns the number of expired sessions.
 */
export async function expireDueSessions(call: Call): Promise<number> {
  const due = rowsAs<{ data: WireSession }>(
    await call.store.query(
      `select data from stripe_sandbox.objects
     where object = 'checkout.session' and data ->> 'status' = 'open' and (data ->> 'expires_at')::bigint <= $1
     order by seq limit 100 for update skip locked`,
      [call.now],
    ),
  )
  for (const { data } of due) await expireSession(call, data)
  return due.length
}
