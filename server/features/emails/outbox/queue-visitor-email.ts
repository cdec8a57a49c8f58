import type { Confirmation } from '#emails/layout/shop-email.ts'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import { type Query, rowsAs } from '@local/postgres'

/**
 * Inserts an email that a visitor triggered into the outbox, once for each `dedupeKey`, and returns the id of the
 * email. Returns undefined when a limit on such emails is reached (supabase/schemas/80_emails.sql). One SQL
 * statement checks the limits and inserts the email. `isCapped` is false only in load tests.
 */
export async function queueVisitorEmail(
  query: Query,
  email: Confirmation,
  { isCapped }: { readonly isCapped: boolean },
): Promise<string | undefined> {
  const [queued] = rowsAs<{ id: string | null }>(
    await query('select public.queue_visitor_email($1, $2) as id', [toEmailRow(email), isCapped]),
  )
  return queued?.id ?? undefined
}
