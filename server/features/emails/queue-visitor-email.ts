import type { Query } from '#server/platform/database.ts'
import type { Confirmation } from '#letters/shop-email.ts'
import { toStored } from './queue-email.ts'

/**
 * Writes a message that a visitor caused into the outbox, once for its `dedupeKey`, and returns its id;
 * undefined when one of the caps on such letters keeps it back (migration cap_letters_to_visitors). Counted
 * and written in one statement. `isCapped` is false for load tests only.
 */
export async function queueVisitorEmail(
  query: Query,
  email: Confirmation,
  { isCapped }: { readonly isCapped: boolean },
): Promise<string | undefined> {
  const row = {
    kind: email.kind,
    dedupe_key: email.dedupeKey,
    recipient_email: email.to.email,
    recipient_name: email.to.name,
    subject: email.subject,
    html_body: email.html,
    text_body: email.text,
    attachments: email.attachments.map(toStored),
    booking_id: email.bookingId,
    appointment_at: email.appointmentAt,
    quote_request_id: email.quoteRequestId,
  }
  const [queued] = await query<{ id: string | null }>(
    'select public.queue_visitor_email($1, $2) as id',
    [row, isCapped],
  )
  return queued?.id ?? undefined
}
