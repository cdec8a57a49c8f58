import type { Confirmation } from '#emails/layout/shop-email.ts'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import { type Query, rowsAs } from '@local/postgres'

/**
 * Writes a message that a visitor caused into the outbox, once for its `dedupeKey`, and returns its id;
 * undefined when one of the caps on such letters keeps it back (supabase/schemas/80_emails.sql). Counted
 * and written in one statement. `isCapped` is false for load tests only.
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
