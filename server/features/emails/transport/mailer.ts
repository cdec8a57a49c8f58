import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { EmailStatus } from '#contracts/emails/emails.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { deliverDueEmails } from '../outbox/deliver-due-emails.ts'
import { type Delivery, deliverEmail } from '#emails/delivery/deliver-email.ts'
import type { MailTransport } from '#emails/delivery/mail-transport.ts'
import { createResendTransport } from '#emails/delivery/resend-transport.ts'
import { createOutboxTransport } from './outbox-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from '../outbox/queue-email.ts'
import { createSqlOutbox } from '../outbox/sql-outbox.ts'

/** Delivers the emails of the outbox. */
export type Mailer = {
  /** The transport (mail server, Resend or outbox folder) that the current email settings choose. */
  readonly transport: MailTransport
  /** Starts sending due emails after a short delay. Code that may have queued an email calls this function. */
  wake(): void
  /** Queues an email in a separate transaction and attempts to deliver it immediately. */
  send(email: ShopEmail): Promise<EmailStatus>
  /**
   * Attempts to deliver an email now. Returns the status of the email afterwards, even if another process delivered
   * it.
   */
  deliver(id: string): Promise<EmailStatus>
  /** Attempts to deliver all due emails and returns their number. */
  deliverDue(signal: AbortSignal): Promise<number>
  /** Starts no further deliveries, and waits for running ones to finish. */
  stop(): Promise<void>
}

type Options = {
  readonly config: Pick<Config, 'mail' | 'dataDirectory'>
  /** Returns the current email settings; by default the settings in the environment variables. */
  readonly currentMail?: () => Config['mail']
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** Replaces the configured email transport in tests. */
  readonly transport?: MailTransport | undefined
}

/** The delay in milliseconds after `wake`, so that several requests in short succession cause only one delivery run. */
const soonMs = 250

export function createMailer(options: Options): Mailer {
  const { config, database, currentShop, log, currentMail = () => config.mail } = options
  const openedTransport = createTransportChoice(config.dataDirectory, currentMail)
  const currentTransport = () => options.transport ?? openedTransport()
  const outbox = createSqlOutbox(database, {
    currentShop,
    ownerEmail: config.mail.owner,
    mailFrom: () => currentMail().from,
  })
  const delivery: Delivery = {
    outbox,
    get transport() {
      return currentTransport()
    },
  }
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  let soon: NodeJS.Timeout | undefined

  const track = async <Value>(work: Promise<Value>): Promise<Value> => {
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }
  const report = (emailId: string, error: unknown) =>
    log.error({ err: error, emailId }, 'an email could not be processed')
  const deliverDue = (signal: AbortSignal) =>
    track(
      deliverDueEmails(database, delivery, {
        signal: AbortSignal.any([signal, stopping.signal]),
        report,
      }),
    )
  const wake = () => {
    if (stopping.signal.aborted) return
    soon ??= setTimeout(() => {
      soon = undefined
      deliverDue(stopping.signal).catch((error: unknown) => report('', error))
    }, soonMs)
    soon.unref()
  }
  const deliver = (id: string) => track(deliverEmail(delivery, id))

  return {
    get transport() {
      return currentTransport()
    },
    deliver,
    deliverDue,
    wake,
    async send(email) {
      return deliver(await database.transaction(asServer, (query) => queueEmail(query, email)))
    },
    async stop() {
      stopping.abort()
      clearTimeout(soon)
      await Promise.allSettled(underWay)
    },
  }
}

/**
 * Returns a function that returns the transport for the current email settings, and opens a new transport when the
 * settings change.
 */
function createTransportChoice(dataDirectory: string, currentMail: () => Config['mail']) {
  let opened: { readonly name: string; readonly transport: MailTransport } | undefined
  return (): MailTransport => {
    const mail = currentMail()
    const name = mail.smtpUrl ?? mail.resendApiKey ?? ''
    if (opened?.name !== name) opened = { name, transport: openTransport(mail, dataDirectory) }
    return opened.transport
  }
}

/**
 * Opens the configured transport, SMTP or Resend. If neither is configured, emails are stored in the folder `outbox`.
 */
function openTransport(mail: Config['mail'], dataDirectory: string): MailTransport {
  if (mail.smtpUrl) return createSmtpTransport(mail.smtpUrl)
  if (mail.resendApiKey) return createResendTransport(mail.resendApiKey)
  return createOutboxTransport(join(dataDirectory, 'outbox'))
}
