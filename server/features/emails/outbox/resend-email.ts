import { accepted, refused, type Result } from '#domain/result.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Mailer } from '../transport/mailer.ts'

/**
 * The time in seconds after a request to send an email again. A second request within this time counts as a double
 * click and sends nothing.
 */
const echoSeconds = 10

/**
 * Delivers an email again at the request of the admin. An email that was already sent or stored in the outbox folder
 * gets a new Message-ID; a failed email keeps its Message-ID. The database checks again whether the content of the
 * email is outdated.
 */
export async function resendEmail(
  { database, mailer }: { readonly database: Database; readonly mailer: Mailer },
  id: string,
): Promise<Result<undefined, 'EMAIL_NOT_FOUND' | 'EMAIL_BEING_SENT'>> {
  const found = await database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ is_under_way: boolean; is_echo: boolean }>(
      await query(
        `select coalesce(leased_until > now(), false) as is_under_way,
         coalesce(sent_at > now() - ${echoSeconds} * interval '1 second', false) as is_echo
       from public.emails where id = $1 for update`,
        [id],
      ),
    )
    if (!row || row.is_under_way || row.is_echo) return row
    await query(
      `update public.emails set status = 'queued', attempts = 0, next_attempt_at = now(), sent_at = null,
         last_error = null, resend_count = resend_count + (status in ('sent', 'in_outbox'))::int
       where id = $1`,
      [id],
    )
    return row
  })
  if (!found) return refused('EMAIL_NOT_FOUND')
  if (found.is_under_way) return refused('EMAIL_BEING_SENT')
  if (!found.is_echo) await mailer.deliver(id)
  return accepted(undefined)
}
