import { forgetOldKeys } from '../api/idempotency.ts'
import type { Call } from '../api/route.ts'
import { expireDueSessions } from './expire-sessions.ts'

// docs.stripe.com/api/events: events can be read for 30 days.
const eventLifetimeSeconds = 30 * 24 * 3600

/** What time alone does: checkouts expire, old idempotency keys and told events are forgotten. */
export async function tidyUp(call: Call): Promise<void> {
  await expireDueSessions(call)
  await forgetOldKeys(call.store.query, call.now)
  await call.store.query(
    `delete from stripe_sandbox.objects where created < $1 and id in (
       select id from stripe_sandbox.objects where object = 'event' order by seq limit 100)`,
    [call.now - eventLifetimeSeconds],
  )
}
