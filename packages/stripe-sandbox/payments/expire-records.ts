import { deleteOldKeys } from '../api/idempotency.ts'
import type { Call } from '../api/route.ts'
import { expireDueSessions } from './expire-sessions.ts'

// The lifetime of an event: the API returns events for 30 days (docs.stripe.com/api/events).
const eventLifetimeSeconds = 30 * 24 * 3600

/** Expires overdue Checkout Sessions, deletes idempotency keys after 24 hours, and deletes events after 30 days. */
export async function expireRecords(call: Call): Promise<void> {
  await expireDueSessions(call)
  await deleteOldKeys(call.store.query, call.now)
  await call.store.query(
    `delete from stripe_sandbox.objects where created < $1 and id in (
       select id from stripe_sandbox.objects where object = 'event' order by seq limit 100)`,
    [call.now - eventLifetimeSeconds],
  )
}
