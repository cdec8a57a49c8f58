import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { addressOf } from './compose-message.ts'
import type { MailTransport } from '#letters/delivery/mail-transport.ts'
import { createOutboxTransport } from './outbox-transport.ts'
import { createResendTransport } from '#letters/delivery/resend-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** The way out that the settings name: SMTP, Resend, or without either the folder `outbox`. */
export function openTransport({
  mail,
  dataDirectory,
}: Pick<Config, 'mail' | 'dataDirectory'>): MailTransport {
  const from = addressOf(mail.from)
  if (mail.smtpUrl) return createSmtpTransport(mail.smtpUrl, from)
  if (mail.resendApiKey) return createResendTransport(mail.resendApiKey, from)
  return createOutboxTransport(join(dataDirectory, 'outbox'), from)
}
