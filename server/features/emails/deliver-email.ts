import type { EmailStatus } from '#contracts/emails.ts'
import { asServer, type Database, type Query } from '#server/platform/database.ts'
import { emailKinds } from '#letters/email-kinds.ts'
import { isOneAddress } from '#letters/foreign-text.ts'
import { type ClaimedEmail, claimEmail } from './claim-email.ts'
import { DeliveryFailure, type MailTransport } from '#letters/delivery/mail-transport.ts'
import { queueEmail } from './queue-email.ts'
import { writeUndeliveredNotice } from '#letters/undelivered-notice.ts'

export type Delivery = {
  readonly database: Database
  readonly transport: MailTransport
  /** Who hears of what could not be delivered. */
  readonly ownerEmail: string
}

const minute = 60
const hour = 60 * minute
/** How long to wait after the first, second … failure, in seconds; after the last wait comes the last attempt. */
const backOffSeconds = [
  minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
]

/**
 * Tries to send a message that is due, and notes what became of it: never `sent` before the mail server
 * has taken it. Undefined when it is not due, done, or in another process's hands. A crash between the
 * sending and the note sends it again later, under the same Message-ID.
 */
export async function deliverEmail(
  delivery: Delivery,
  id: string,
): Promise<EmailStatus | undefined> {
  const email = await claimEmail(delivery.database, id)
  if (!email) return undefined
  const handedOver = await handOver(delivery.transport, email)
  return handedOver instanceof DeliveryFailure
    ? noteFailure(delivery, email, handedOver)
    : noteSuccess(delivery, email, handedOver.providerMessageId)
}

async function handOver(
  transport: MailTransport,
  email: ClaimedEmail,
): Promise<{ providerMessageId: string } | DeliveryFailure> {
  if (email.obsolete) return new DeliveryFailure(email.obsolete, true)
  if (!isOneAddress(email.recipientEmail)) {
    return new DeliveryFailure('The address is not one e-mail address.', true)
  }
  try {
    return await transport.send(email)
  } catch (error) {
    // A full disk or a broken network is no verdict on the message: it is tried again.
    return error instanceof DeliveryFailure ? error : new DeliveryFailure(String(error), false)
  }
}

/** What became of a message so far. */
export function readStatus(database: Database, id: string): Promise<EmailStatus | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query<{ status: EmailStatus }>(
      'select status from public.emails where id = $1',
      [id],
    )
    return row?.status
  })
}

function noteSuccess(
  { database, transport }: Delivery,
  email: ClaimedEmail,
  providerMessageId: string,
): Promise<EmailStatus> {
  const status = transport.mode === 'outbox' ? 'kept' : 'sent'
  return database.transaction(asServer, async (query) => {
    await query(
      `update public.emails set status = $2, sent_at = now(), last_error = null,
         leased_until = null, provider_message_id = $3
       where id = $1`,
      [email.id, status, providerMessageId.slice(0, 300)],
    )
    if (email.kind === 'quote_reply') await completeQuoteRequest(query, email.id)
    return status
  })
}

/** The request is completed once its reply went out (docs/product.md 4.1), also when it was sent again. */
async function completeQuoteRequest(query: Query, emailId: string): Promise<void> {
  await query('update public.quote_email_logs set sent_at = now() where email_id = $1', [emailId])
  await query(
    `update public.quote_requests set status = 'completed'
     where id = (select quote_request_id from public.emails where id = $1)`,
    [emailId],
  )
}

function noteFailure(
  { database, ownerEmail }: Delivery,
  email: ClaimedEmail,
  { message, isPermanent }: DeliveryFailure,
): Promise<EmailStatus> {
  const { isRetried, goesTo } = emailKinds[email.kind]
  // Whoever sends what is not retried is watching: told at once, it must not leave later behind their back.
  const waitSeconds = isPermanent || !isRetried ? undefined : backOffSeconds[email.attempts - 1]
  const status = waitSeconds === undefined ? 'failed' : 'retrying'
  return database.transaction(asServer, async (query) => {
    await query(
      `update public.emails set status = $2, last_error = $3, leased_until = null,
         next_attempt_at = now() + $4 * interval '1 second'
       where id = $1 and status in ('queued', 'retrying')`,
      [email.id, status, message.slice(0, 500), waitSeconds ?? 0],
    )
    const needsCall = status === 'failed' && !email.obsolete && goesTo === 'customer'
    if (needsCall) await queueEmail(query, writeUndeliveredNotice(email, message, ownerEmail))
    return status
  })
}
