import type { EmailSetup, ProcessSetting } from '#contracts/setup.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { senderOf } from '#emails/delivery/sender.ts'
import {
  isMailSetByEnvironment,
  type MailSettings,
  type StoredMailServer,
} from './mail-server/watch-mail-settings.ts'
import type { Config } from '#server/config.ts'

/**
 * Returns how the shop sends emails, and the settings that determine this. The result contains only the host of
 * SMTP_URL, because the URL contains a password.
 */
export function readEmailSetup(
  { mail }: Pick<Config, 'mail'>,
  { current, stored }: Pick<MailSettings, 'current' | 'stored'>,
  mode: EmailSetup['mode'],
  shop: Shop,
): EmailSetup {
  // If OWNER_EMAIL is not set, the owner's email address is MAIL_FROM (server/config.ts).
  const hasOwner = mail.owner !== undefined && mail.owner !== mail.from
  const settings: ProcessSetting[] = [
    {
      name: 'SMTP_URL',
      isSet: mail.smtpUrl !== undefined,
      shows: mail.smtpUrl ? whereTo(mail.smtpUrl) : null,
    },
    { name: 'RESEND_API_KEY', isSet: mail.resendApiKey !== undefined, shows: null },
    { name: 'MAIL_FROM', isSet: mail.from !== undefined, shows: mail.from ?? null },
    { name: 'OWNER_EMAIL', isSet: hasOwner, shows: hasOwner ? (mail.owner ?? null) : null },
  ]
  return {
    mode,
    settings,
    from: senderOf(shop, current().from).address,
    owner: senderOf(shop, current().owner).address,
    isSetByEnvironment: isMailSetByEnvironment(mail),
    mailServer: toShown(stored()),
  }
}

/** Selects the fields one by one, so that the result does not contain the password. */
function toShown(stored: StoredMailServer | undefined): EmailSetup['mailServer'] {
  if (!stored) return null
  const { value: server, changedAt, changedByName } = stored
  if (!server) return { fields: null, changedAt, changedByName }
  const { host, port, security, username, from } = server
  return { fields: { host, port, security, username, from }, changedAt, changedByName }
}

function whereTo(smtpUrl: string): string {
  const { protocol, host } = new URL(smtpUrl)
  return `${protocol}//${host}`
}
