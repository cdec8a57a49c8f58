import type { Query } from '@local/postgres'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/**
 * Inserts an email into the outbox, in the transaction of the change that causes the email, so that the email is stored
 * if and only if the change is. The outbox stores only one email per `dedupeKey`. Returns the id of the new or existing
 * row. The first delivery attempt is due after `afterSeconds`.
 */
export async function queueEmail(
  query: Query,
  email: ShopEmail,
  afterSeconds = 0,
): Promise<string> {
  const row = toEmailRow(email)
  const [written] = await query(
    `insert into public.emails (
       kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
       booking_id, appointment_at, quote_request_id, invoice_id, estimate_id, estimate_revision, next_attempt_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + $15 * interval '1 second')
     on conflict (dedupe_key) do nothing returning id`,
    [
      row.kind,
      row.dedupe_key,
      row.recipient_email,
      row.recipient_name,
      row.subject,
      row.html_body,
      row.text_body,
      JSON.stringify(row.attachments),
      row.booking_id,
      row.appointment_at,
      row.quote_request_id,
      row.invoice_id,
      row.estimate_id,
      row.estimate_revision,
      afterSeconds,
    ],
  )
  if (written) return written.id
  const [existing] = await query('select id from public.emails where dedupe_key = $1', [
    row.dedupe_key,
  ])
  if (!existing) throw new Error('The database neither inserted the email nor contained it before')
  return existing.id
}
