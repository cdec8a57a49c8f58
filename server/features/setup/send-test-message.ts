import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestEmailResult } from '#contracts/setup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { mailableAddress } from '#emails/layout/recipient.ts'
import { writeTestMessage } from '#emails/setup/test-message.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { explainMailFailure } from './explain-mail-failure.ts'

type Dependencies = {
  readonly database: Database
  readonly mailer: Pick<Mailer, 'deliver'>
  readonly currentShop: CurrentShop
}

/**
 * The maximum time in milliseconds for which the endpoint waits for the mail server; the browser aborts the request
 * after half a minute. If the mail server takes longer, only the list of emails shows the result.
 */
const usualPatienceMs = 20_000

/** Sends a test message through the outbox, like every email, and returns the result. */
export async function sendTestMessage(
  { database, mailer, currentShop }: Dependencies,
  input: string,
  patienceMs = usualPatienceMs,
): Promise<Result<TestEmailResult, 'INVALID_ADDRESS'>> {
  const to = mailableAddress(input.trim())
  if (!to) return refused('INVALID_ADDRESS')
  const email = writeTestMessage(currentShop(), to, randomUUID())
  const id = await database.transaction(asServer, (query) => queueEmail(query, email))
  const status = await Promise.race([
    mailer.deliver(id),
    wait(patienceMs, 'queued' as const, { ref: false }),
  ])
  if (status === 'sent' || status === 'in_outbox') return accepted(outcome(status))
  if (status !== 'failed') return accepted(outcome('waiting'))
  const message = await readLastError(database, id)
  return accepted({
    outcome: 'failed',
    serverMessage: message,
    meaning: explainMailFailure(message),
  })
}

const outcome = (name: Exclude<TestEmailResult['outcome'], 'failed'>): TestEmailResult => ({
  outcome: name,
  serverMessage: null,
  meaning: null,
})

async function readLastError(database: Database, id: string): Promise<string> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select last_error from public.emails where id = $1', [id]),
  )
  return row?.last_error ?? ''
}
