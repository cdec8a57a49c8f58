import type { Query } from '#server/platform/database.ts'
import type { StoredAttachment } from '#letters/delivery/mail-transport.ts'
import { oneLine } from '#letters/foreign-text.ts'
import type { EmailAttachment, ShopEmail } from '#letters/shop-email.ts'

/**
 * Writes a message into the outbox, in the transaction that causes it: it exists exactly if its cause
 * does. The same `dedupeKey` is written once; returns the id of the row, the known one if it was there.
 */
export async function queueEmail(query: Query, email: ShopEmail): Promise<string> {
  const [written] = await query<{ id: string }>(
    `insert into public.emails (
       kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
       booking_id, appointment_at, quote_request_id, invoice_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (dedupe_key) do nothing returning id`,
    [
      email.kind,
      email.dedupeKey,
      email.to.email,
      oneLine(email.to.name),
      oneLine(email.subject, 250),
      email.html,
      email.text,
      JSON.stringify(email.attachments.map(toStored)),
      email.bookingId ?? null,
      email.appointmentAt ?? null,
      email.quoteRequestId ?? null,
      email.invoiceId ?? null,
    ],
  )
  if (written) return written.id
  const [known] = await query<{ id: string }>(
    'select id from public.emails where dedupe_key = $1',
    [email.dedupeKey],
  )
  if (!known) throw new Error('An e-mail was neither written nor found')
  return known.id
}

/** How a row keeps an attachment. */
export function toStored({ filename, contentType, content }: EmailAttachment): StoredAttachment {
  const contentBase64 = Buffer.from(content).toString('base64')
  return { filename: oneLine(filename), contentType, contentBase64 }
}
