import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { type Delivery, attemptDelivery } from '#emails/delivery/deliver-email.ts'

/** How many messages are under way at once: a mail server limits connections too. */
const concurrency = 3
const batch = 60

/**
 * Tries every message that is due; returns how many were tried. A failure that is not the mail
 * server's is reported by the message's id and does not keep the others.
 */
export async function deliverDueEmails(
  database: Database,
  delivery: Delivery,
  { signal, report }: { signal: AbortSignal; report: (id: string, error: unknown) => void },
): Promise<number> {
  await failInterruptedReplies(database)
  const ids = await findDue(database)
  const left = [...ids]
  const run = async () => {
    for (let id = left.shift(); id !== undefined && !signal.aborted; id = left.shift()) {
      await attemptDelivery(delivery, id).catch((error: unknown) => report(id ?? '', error))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  return ids.length
}

function findDue(database: Database): Promise<string[]> {
  return database.transaction(asServer, async (query) => {
    const rows = await query(
      `select id from public.emails
       where status in ('queued', 'retrying') and next_attempt_at <= now()
         and kind in (select kind from internal.email_kinds where is_retried)
       order by next_attempt_at limit ${batch}`,
    )
    return rows.map(({ id }) => id)
  })
}

/** A quote reply whose sending process died: the admin saw it fail, so only the admin sends it again. */
async function failInterruptedReplies(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update public.emails set status = 'failed', last_error = 'The sending was interrupted. Please send it again.'
       where kind in (select kind from internal.email_kinds where not is_retried)
         and status in ('queued', 'retrying')
         and next_attempt_at <= now() and created_at < now() - interval '5 minutes'`,
    ),
  )
}
