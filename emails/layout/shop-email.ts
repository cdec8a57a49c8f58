import type { EmailKind } from '#contracts/emails/emails.ts'
import type { ConfirmationKind } from '#emails/email-kinds.ts'

/** An email of the shop before the server inserts it into the outbox (`public.emails`). */
export type ShopEmail = {
  readonly kind: EmailKind
  /**
   * Identifies the occasion of the email, for example 'booking:<id>'. The outbox accepts only one email for each key.
   */
  readonly dedupeKey: string
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly EmailAttachment[]
  readonly bookingId?: string | null
  /**
   * The start of the appointment that the email states: 'yyyy-MM-dd HH:mm:ss', shop time. The email is outdated and
   * not sent when the appointment has another start.
   */
  readonly appointmentAt?: string | null
  readonly quoteRequestId?: string | null
  readonly invoiceId?: string | null
  readonly estimateId?: string | null
  /**
   * The revision of the estimate that the email contains. When the shop has sent a later revision, the email is
   * outdated and the server does not send it.
   */
  readonly estimateRevision?: number | null
}

/** An email that a visitor can cause by a form or by the link to an appointment. */
export type Confirmation = ShopEmail & { readonly kind: ConfirmationKind }

export type EmailAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** The subject and the HTML and text bodies of an email, rendered from the same data. */
export type RenderedEmail = Pick<ShopEmail, 'subject' | 'html' | 'text'>
