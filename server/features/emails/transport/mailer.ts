import type { FastifyBaseLogger } from 'fastify'
import type { EmailStatus } from '#contracts/emails/emails.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { deliverDueEmails } from '../outbox/deliver-due-emails.ts'
import { type Delivery, deliverEmail } from '#emails/delivery/deliver-email.ts'
import type { MailTransport } from '#emails/delivery/mail-transport.ts'
import { openTransport } from './open-transport.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from '../outbox/queue-email.ts'
import { createSqlOutbox } from '../outbox/sql-outbox.ts'

/** The shop's post office: what features write into the outbox, and what takes it away. */
export type Mailer = {
  readonly transport: MailTransport
  /** Something may have been queued just now: tries what is due in a moment. */
  wake(): void
  /** Writes a message in a transaction of its own and tries to send it now. */
  send(email: ShopEmail): Promise<EmailStatus>
  /** Tries to send a message now; what became of it, also when another process was faster. */
  deliver(id: string): Promise<EmailStatus>
  /** Tries everything that is due; returns how many. */
  deliverDue(signal: AbortSignal): Promise<number>
  /** Waits for what is under way; nothing starts after that. */
  stop(): Promise<void>
}

type Options = {
  readonly config: Pick<Config, 'mail' | 'dataDirectory'>
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** Replaces what the settings name; for tests. */
  readonly transport?: MailTransport | undefined
}

/** Several requests in a row wake it once. */
const soonMs = 250

export function createMailer({ config, database, currentShop, log, transport }: Options): Mailer {
  const opened = transport ?? openTransport(config)
  const outbox = createSqlOutbox(database, {
    currentShop,
    ownerEmail: config.mail.owner,
    mailFrom: config.mail.from,
  })
  const delivery: Delivery = { outbox, transport: opened }
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
    log.error({ err: error, emailId }, 'an e-mail could not be processed')
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
    transport: opened,
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
