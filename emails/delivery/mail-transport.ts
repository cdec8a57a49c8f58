import type { EmailKind } from '#contracts/emails/emails.ts'
import type { Sender } from './sender.ts'

/** A message as it is handed to a mail server. */
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
  /** When it was written, ISO 8601. */
  readonly createdAt: string
  /** The same for every attempt, so that a message sent twice after a crash is recognised as one. */
  readonly messageId: string
}

/** An attachment as its row keeps it. */
export type StoredAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly contentBase64: string
}

/** Takes messages away. `send` resolves once the other side has taken it over, else throws DeliveryFailure. */
export type MailTransport = {
  /** `outbox`: no mail server is set, messages stay in a folder. */
  readonly mode: 'smtp' | 'resend' | 'outbox'
  send(email: OutgoingEmail): Promise<{ readonly providerMessageId: string }>
}

/** A message was not taken. `isPermanent`: trying again cannot help, the recipient or the message was refused. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}
