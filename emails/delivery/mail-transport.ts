import type { EmailKind } from '#contracts/emails/emails.ts'
import type { Sender } from './sender.ts'

/** An email as it is passed to a mail server. */
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
  /** ISO 8601: when the email was written. */
  readonly createdAt: string
  /** The same for every attempt, so that mail programs recognize a second copy after a crash. */
  readonly messageId: string
}

/** An attachment as its row stores it. */
export type StoredAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly contentBase64: string
}

/** Sends emails. `send` resolves after the receiving server has accepted the email, else it throws DeliveryFailure. */
export type MailTransport = {
  /** `outbox`: no mail server is configured, and emails are stored in a folder. */
  readonly mode: 'smtp' | 'resend' | 'outbox'
  send(email: OutgoingEmail): Promise<{ readonly providerMessageId: string }>
}

/**
 * An email was not accepted. `isPermanent`: the recipient or the message was refused, so another attempt cannot
 * succeed.
 */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}
