import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'
import * as z from 'zod/mini'
import { emailKind, emailStatus } from '../../../contracts/emails/emails.ts'
import {
  type Delivery,
  deliverEmail,
  isDelivered,
  type Outbox,
} from '../../../emails/delivery/deliver-email.ts'
import { DeliveryFailure, type MailTransport } from '../../../emails/delivery/mail-transport.ts'
import { createResendTransport } from '../../../emails/delivery/resend-transport.ts'
import { toEmailRow, toOutgoingEmail } from '../../../emails/delivery/stored-email.ts'
import type { Confirmation, ShopEmail } from '../../../emails/layout/shop-email.ts'
import type { ReplyLog } from '../send-quote-email/prepare-reply.ts'
import type { ReadSetting } from './hosted-backend.ts'
import { readShop } from './read-shop.ts'

type Client = SupabaseClient<Database>

/**
 * The time in milliseconds during which only the server function that queued an email may send the email. Afterwards
 * the shop's own server may send the email.
 */
const headStartMs = 60_000

/**
 * Queues an email that a visitor caused, unless a limit is reached or the email is already queued
 * (supabase/schemas/80_emails.sql), and sends the email with Resend. Returns whether the email was sent. The shop's own
 * server retries a failed delivery.
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

/**
 * Queues a reply of the admin with its log entry, unless both exist already, and sends the reply with Resend. Returns
 * whether the reply was sent.
 */
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

/** The outbox of a server function in a hosted Supabase project, accessed through the REST API. */
function createRestOutbox(client: Client, setting: ReadSetting): Outbox {
  return {
    async claim(id) {
      const [row] = dataOf('claim_email', await client.rpc('claim_email', { email_id: id })) ?? []
      if (!row) return undefined
      const stored = { ...row, ...storedColumns.parse(row) }
      return toOutgoingEmail(stored, await readShop(client), setting('MAIL_FROM'))
    },
    async recordSent(id, outcome, provider_message_id) {
      dataOf(
        'record_email_sent',
        await client.rpc('record_email_sent', { email_id: id, outcome, provider_message_id }),
      )
    },
    async recordFailure({ id }, { message: reason }) {
      // A server function never marks an email as finally failed. Only the shop's own server can notify the owner of an
      // undeliverable email, so the shop's server makes the last attempt.
      const failure = { email_id: id, reason, is_final: false }
      const status = dataOf(
        'record_email_failure',
        await client.rpc('record_email_failure', failure),
      )
      return status === null ? undefined : emailStatus.parse(status)
    },
    async readStatus(id) {
      const { data } = await client.from('emails').select('status').eq('id', id).single()
      return data?.status
    },
  }
}

/**
 * The columns whose types are missing in the generated database types: the kind of the email and the content of its
 * attachments.
 */
const storedColumns = z.object({
  kind: emailKind,
  attachments: z.array(
    z.object({ filename: z.string(), contentType: z.string(), contentBase64: z.string() }),
  ),
})

/** Returns the result of a database function, which may be null; throws when the call failed. */
function dataOf<Answer>(
  name: keyof Database['public']['Functions'],
  { data, error }: { data: Answer | null; error: { code: string } | null },
): Answer | null {
  if (error) throw new Error(`The database refused ${name}: ${error.code}`)
  return data
}
