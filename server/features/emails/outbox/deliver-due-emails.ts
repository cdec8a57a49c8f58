import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { type Delivery, attemptDelivery } from '#emails/delivery/deliver-email.ts'

/** The maximum number of simultaneous deliveries, because mail servers limit the number of connections. */
const concurrency = 3
const batch = 60

/**
 * Attempts to send every due email and returns the number of attempts. An unexpected error is reported with the id
 * of its email and does not stop the other deliveries.
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

/**
 * Marks an email that replies to a quote request as failed if the process crashed while sending the email. The job does
 * not retry such an email, because the admin who sent the reply saw an error and decides whether to send the reply
 * again.
 */
async function failInterruptedReplies(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update public.emails set status = 'failed', last_error = 'Sending was interrupted. Please send the email again.'
       where kind in (select kind from internal.email_kinds where not is_retried)
         and status in ('queued', 'retrying')
         and next_attempt_at <= now() and created_at < now() - interval '5 minutes'`,
    ),
  )
}
