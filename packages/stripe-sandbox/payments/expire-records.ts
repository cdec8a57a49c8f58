import { deleteOldKeys } from '../api/idempotency.ts'
import type { Call } from '../api/route.ts'
import { expireDueSessions } from './expire-sessions.ts'

// docs.stripe.com/api/events: events can be read for 30 days.
const eventLifetimeSeconds = 30 * 24 * 3600

/** Applies the time limits: expires checkouts, deletes old idempotency keys and events after 30 days. */
export async function expireRecords(call: Call): Promise<void> {
  await expireDueSessions(call)
  await deleteOldKeys(call.store.query, call.now)
  await call.store.query(
    `delete from stripe_sandbox.objects where created < $1 and id in (
       select id from stripe_sandbox.objects where object = 'event' order by seq limit 100)`,
    [call.now - eventLifetimeSeconds],
  )
}
