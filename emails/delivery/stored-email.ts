import { Buffer } from 'node:buffer'
import type { EmailKind } from '#contracts/emails/emails.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { asSent } from '#emails/bookings/calendar-file.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import type { EmailAttachment, ShopEmail } from '#emails/layout/shop-email.ts'
import type { OutgoingEmail, StoredAttachment } from './mail-transport.ts'
import { type Sender, senderOf } from './sender.ts'

/** The columns of `emails` from which the server builds an outgoing email. */
export type EmailRow = {
  id: string
  kind: EmailKind
  recipient_email: string
  recipient_name: string
  subject: string
  html_body: string
  text_body: string
  attachments: StoredAttachment[]
  resend_count: number
  created_at: string
}

/** Converts a row of `emails` to an outgoing email. `mailFrom` is the argument of `senderOf`. */
export function toOutgoingEmail(
  row: EmailRow,
  shop: Shop,
  mailFrom: string | undefined,
): OutgoingEmail {
  const domain = shop.bookingEmail.replace(/^.*@/, '')
  const from = senderOf(shop, mailFrom)
  return {
    id: row.id,
    from,
    kind: row.kind,
    recipientEmail: row.recipient_email,
    recipientName: row.recipient_name,
    subject: row.subject,
    html: row.html_body,
    text: row.text_body,
    attachments: row.attachments.map((attachment) => toSent(attachment, from, row.text_body)),
    createdAt: new Date(row.created_at).toISOString(),
    messageId: messageIdOf(row.id, row.resend_count, domain),
  }
}

/**
 * Returns the Message-ID of a row of `emails`, which is also the idempotency key for Resend. Every process computes the
 * same id for a row, so that a second attempt after a crash is recognized as a duplicate. `resendCount` is the number
 * of times that staff pressed 'Resend'.
 */
function messageIdOf(emailId: string, resendCount: number, domain: string): string {
  return `<${emailId}.${resendCount}@${domain}>`
}

/**
 * Completes a calendar file at the time of sending, because the sender and the current link to the visit page are known
 * only then.
 */
function toSent(attachment: StoredAttachment, from: Sender, text: string): StoredAttachment {
  if (!attachment.contentType.startsWith('text/calendar')) return attachment
  const stored = Uint8Array.from(atob(attachment.contentBase64), (octet) => octet.charCodeAt(0))
  const file = asSent(new TextDecoder().decode(stored), from, text)
  return { ...attachment, contentBase64: toBase64(new TextEncoder().encode(file)) }
}

/** Converts an email to a new row of `emails`. */
export function toEmailRow(email: ShopEmail) {
  return {
    kind: email.kind,
    dedupe_key: email.dedupeKey,
    recipient_email: email.to.email,
    recipient_name: oneUntrustedLine(email.to.name),
    subject: oneUntrustedLine(email.subject, 250),
    html_body: email.html,
    text_body: email.text,
    attachments: email.attachments.map(toStored),
    booking_id: email.bookingId ?? null,
    appointment_at: email.appointmentAt ?? null,
    quote_request_id: email.quoteRequestId ?? null,
    invoice_id: email.invoiceId ?? null,
    estimate_id: email.estimateId ?? null,
    estimate_revision: email.estimateRevision ?? null,
  }
}

function toStored({ filename, contentType, content }: EmailAttachment): StoredAttachment {
  return { filename: oneUntrustedLine(filename), contentType, contentBase64: toBase64(content) }
}

const toBase64 = (content: Uint8Array) => Buffer.from(content).toString('base64')
