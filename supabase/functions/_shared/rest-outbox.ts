import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'
import type { EmailStatus } from '../../../contracts/emails/emails.ts'
import {
  type Delivery,
  deliverEmail,
  isDelivered,
  type Outbox,
} from '../../../emails/delivery/deliver-email.ts'
import { DeliveryFailure, type MailTransport } from '../../../emails/delivery/mail-transport.ts'
import { createResendTransport } from '../../../emails/delivery/resend-transport.ts'
import {
  type EmailRow,
  toOutgoingEmail,
  toEmailRow,
} from '../../../emails/delivery/stored-email.ts'
import type { Confirmation, ShopEmail } from '../../../emails/layout/shop-email.ts'
import type { ReplyLog } from '../send-quote-email/prepare-reply.ts'
import type { ReadSetting } from './hosted-backend.ts'
import { readShop } from './read-shop.ts'

type Client = SupabaseClient<Database>

/** How long the shop's own process leaves a new message to the function that queued it. */
const headStartMs = 60_000

/**
 * Queues an email that a visitor triggered once, unless a limit is reached (supabase/schemas/80_emails.sql), and sends
 * it with Resend. Returns whether it was sent. The shop's own process retries a failed one.
 */
export async function sendToVisitor(
  client: Client,
  setting: ReadSetting,
  email: Confirmation,
): Promise<boolean> {
  const next_attempt_at = new Date(Date.now() + headStartMs).toISOString()
  const message = { ...toEmailRow(email), next_attempt_at }
  const id = dataOf('queue_visitor_email', await client.rpc('queue_visitor_email', { message }))
  return id !== null && isDelivered(await deliverEmail(openDelivery(client, setting), id))
}

/** Queues a reply of the admin and its log once, and sends it with Resend. Returns whether it was sent. */
export async function sendReply(
  client: Client,
  setting: ReadSetting,
  email: ShopEmail,
  log: ReplyLog,
): Promise<boolean> {
  const id = dataOf(
    'queue_quote_reply',
    await client.rpc('queue_quote_reply', { message: toEmailRow(email), log }),
  )
  if (id === null) throw new Error('queue_quote_reply returned no id')
  return isDelivered(await deliverEmail(openDelivery(client, setting), id))
}

function openDelivery(client: Client, setting: ReadSetting): Delivery {
  return { outbox: createRestOutbox(client, setting), transport: openTransport(setting) }
}

function openTransport(setting: ReadSetting): MailTransport {
  const [apiKey, from] = [setting('RESEND_API_KEY'), setting('MAIL_FROM')]
  if (apiKey && from) return createResendTransport(apiKey)
  const send = () => Promise.reject(new DeliveryFailure('RESEND_API_KEY is not set.', false))
  return { mode: 'resend', send }
}

/** The outbox of a hosted function, accessed with the REST API. */
function createRestOutbox(client: Client, setting: ReadSetting): Outbox {
  return {
    async claim(id) {
      const [row] = dataOf('claim_email', await client.rpc('claim_email', { email_id: id })) ?? []
      if (!row) return undefined
      const stored = { ...row, ...narrowRow(row) }
      return toOutgoingEmail(stored, await readShop(client), setting('MAIL_FROM'))
    },
    async recordSent(id, outcome, provider_message_id) {
      dataOf(
        'record_email_sent',
        await client.rpc('record_email_sent', { email_id: id, outcome, provider_message_id }),
      )
    },
    async recordFailure({ id }, { message: reason }) {
      // Not final: only the shop's own process can notify the owner of an undeliverable message, so it makes the last
      // attempt.
      const failure = { email_id: id, reason, is_final: false }
      const status = dataOf(
        'record_email_failure',
        await client.rpc('record_email_failure', failure),
      )
      return (status ?? undefined) as EmailStatus | undefined
    },
    async readStatus(id) {
      const { data } = await client.from('emails').select('status').eq('id', id).single()
      return data?.status
    },
  }
}

/** Narrows the types that the generated schema cannot express: the kinds of emails, and the content of attachments. */
function narrowRow({ kind, attachments }: { kind: string; attachments: unknown }) {
  return { kind: kind as EmailRow['kind'], attachments: attachments as EmailRow['attachments'] }
}

/** Returns the result of a database function, which may be null. */
function dataOf<Answer>(
  name: keyof Database['public']['Functions'],
  { data, error }: { data: Answer | null; error: { code: string } | null },
): Answer | null {
  if (error) throw new Error(`The database refused ${name}: ${error.code}`)
  return data
}
