import type { EmailKind } from '#contracts/emails/emails.ts'
import type { ConfirmationKind } from '#emails/email-kinds.ts'

/** A message of the shop, before it is written into the outbox (`public.emails`). */
export type ShopEmail = {
  readonly kind: EmailKind
  /** What it is about, for example 'booking:<id>': the same message is written once for its key. */
  readonly dedupeKey: string
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly EmailAttachment[]
  readonly bookingId?: string | null
  /** The appointment's start that the message states, 'yyyy-MM-dd HH:mm:ss' shop time: once it differs, the message is wrong. */
  readonly appointmentAt?: string | null
  readonly quoteRequestId?: string | null
  readonly invoiceId?: string | null
  readonly estimateId?: string | null
  /** What the message offers; once another revision was handed over, the message is wrong. */
  readonly estimateRevision?: number | null
}

/** A message that a visitor causes, by a form or by the link of an appointment. */
export type Confirmation = ShopEmail & { readonly kind: ConfirmationKind }

export type EmailAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** Subject and both bodies, made from the same facts. */
export type RenderedEmail = Pick<ShopEmail, 'subject' | 'html' | 'text'>
