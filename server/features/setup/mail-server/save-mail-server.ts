import { randomUUID } from 'node:crypto'
import type { Database } from '@local/postgres'
import type { MailServerInput, SavedMailServer } from '#contracts/setup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { DeliveryFailure, type OutgoingEmail } from '#emails/delivery/mail-transport.ts'
import { senderOf } from '#emails/delivery/sender.ts'
import { mailableAddress } from '#emails/layout/recipient.ts'
import { writeTestMessage } from '#emails/setup/test-message.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { removeSealedSetting, storeSealedSetting } from '#server/platform/secrets/sealed-setting.ts'
import { explainMailFailure } from '../explain-mail-failure.ts'
import { type MailServer, toSmtpUrl } from './mail-server.ts'
import type { MailSettings } from './watch-mail-settings.ts'

export type MailServerContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly mailSettings: MailSettings
  readonly secretsKey: Buffer
}

/** The time limits in milliseconds for sending the test message. The browser aborts its request after half a minute. */
const timeouts = { silenceMs: 10_000, totalMs: 20_000 }

/**
 * Saves a mail server after the server accepted a test message to the owner's own email address. If the request
 * contains no password, the stored password is used, but only if the server is the same, because no other server may
 * receive the password.
 */
export async function saveMailServer(
  context: MailServerContext,
  owner: string,
  { password, ...input }: MailServerInput,
): Promise<Result<SavedMailServer, Refusal>> {
  const { database, mailSettings, secretsKey } = context
  const kept = password ?? keptPassword(mailSettings.stored()?.value, input)
  if (kept === undefined) return refused({ code: 'MAIL_PASSWORD_MISSING' })
  const to = await readOwnAddress(database, owner)
  if (to === undefined) return refused({ code: 'OWN_EMAIL_MISSING' })
  const server: MailServer = { ...input, password: kept }
  const failure = await tryServer(context, server, to)
  if (failure !== undefined) {
    const serverMessage = withoutPassword(failure, kept)
    return accepted({ outcome: 'failed', serverMessage, meaning: explainMailFailure(failure) })
  }
  await storeSealedSetting({ database, secretsKey }, { name: 'email', owner }, server)
  await mailSettings.reload()
  return accepted({ outcome: 'saved', serverMessage: null, meaning: null })
}

/** Removes the mail server. Emails are then stored in the outbox instead of sent. */
export async function removeMailServer(
  { database, mailSettings }: MailServerContext,
  owner: string,
): Promise<void> {
  await removeSealedSetting(database, { name: 'email', owner })
  await mailSettings.reload()
}

type Target = Pick<MailServer, 'host' | 'port' | 'security' | 'username'>

function keptPassword(stored: MailServer | undefined, input: Target): string | undefined {
  if (input.username === '') return ''
  const isSame =
    stored?.host === input.host &&
    stored.port === input.port &&
    stored.security === input.security &&
    stored.username === input.username
  return isSame ? stored.password : undefined
}

async function readOwnAddress(database: Database, owner: string): Promise<string | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select email from public.staff_accounts where user_id = $1', [owner]),
  )
  return row?.email ? mailableAddress(row.email) : undefined
}

/**
 * Sends a test message through the entered mail server, without the outbox, which does not use the new settings yet.
 * Returns the error message if the delivery failed.
 */
async function tryServer(
  { currentShop }: MailServerContext,
  server: MailServer,
  to: string,
): Promise<string | undefined> {
  const id = randomUUID()
  const from = senderOf(currentShop(), server.from || undefined)
  const { kind, subject, html, text } = writeTestMessage(currentShop(), to, id)
  const email: OutgoingEmail = {
    id,
    kind,
    from,
    recipientEmail: to,
    recipientName: '',
    subject,
    html,
    text,
    attachments: [],
    createdAt: new Date().toISOString(),
    messageId: `<${id}@${from.address.split('@')[1] ?? 'localhost'}>`,
  }
  try {
    await createSmtpTransport(toSmtpUrl(server), timeouts).send(email)
    return undefined
  } catch (error) {
    if (error instanceof DeliveryFailure) return error.message
    throw error
  }
}

/** Removes the password from the server's response, because some servers repeat the password in their responses. */
const withoutPassword = (message: string, password: string): string =>
  password === '' ? message : message.replaceAll(password, '•••')
