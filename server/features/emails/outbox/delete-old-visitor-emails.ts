import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Deletes data that the checks of visitor-triggered emails no longer need. Deletes the origins of forms (digests of
 * form tokens and IP addresses) after 25 hours, because a form token is valid for 24 hours. Deletes the counters of
 * visitor-triggered emails after two days, and sent notices to the owner after thirty days.
 */
export async function deleteOldVisitorEmails(database: Database): Promise<void> {
  await database.transaction(asServer, async (query) => {
    await query(`delete from internal.form_origins where created_at < now() - interval '25 hours'`)
    await query(`delete from internal.visitor_emails where created_at < now() - interval '2 days'`)
    await query(`delete from internal.owner_notices where notified_at < now() - interval '30 days'`)
  })
}
