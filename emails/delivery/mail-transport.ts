import type { EmailKind } from '#contracts/emails/emails.ts'
import type { Sender } from './sender.ts'

/** An email in the form that a mail transport sends. */
export type OutgoingEmail = {
  readonly id: string
  readonly kind: EmailKind
  readonly from: Sender
  readonly recipientEmail: string
  readonly recipientName: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly StoredAttachment[]
  /** The time (ISO 8601) at which the email was written. */
  readonly createdAt: string
  /**
   * The Message-ID. Every attempt sends the same id, so that mail programs recognize the duplicate that an attempt
   * after a crash sends.
   */
  readonly messageId: string
}

/** An attachment, as the database stores it. */
export type StoredAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly contentBase64: string
}

/**
 * Sends emails. `send` resolves after the receiving server has accepted the email; otherwise `send` throws
 * DeliveryFailure.
 */
export type MailTransport = {
  /**
   * The way in which the shop sends emails. With `outbox`, no mail server is configured and the server stores emails in
   * a folder.
   */
  readonly mode: 'smtp' | 'resend' | 'outbox'
  send(email: OutgoingEmail): Promise<{ readonly providerMessageId: string }>
}

/**
 * Reports that a server did not accept an email. `isPermanent`: the server refused the recipient or the message, so
 * another attempt cannot succeed.
 */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}
