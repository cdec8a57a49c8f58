import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { MailTransport } from '#emails/delivery/mail-transport.ts'
import { createOutboxTransport } from './outbox-transport.ts'
import { createResendTransport } from '#emails/delivery/resend-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** Opens the configured transport: SMTP or Resend; without either of them, the folder `outbox`. */
export function openTransport({
  mail,
  dataDirectory,
}: Pick<Config, 'mail' | 'dataDirectory'>): MailTransport {
  if (mail.smtpUrl) return createSmtpTransport(mail.smtpUrl)
  if (mail.resendApiKey) return createResendTransport(mail.resendApiKey)
  return createOutboxTransport(join(dataDirectory, 'outbox'))
}
