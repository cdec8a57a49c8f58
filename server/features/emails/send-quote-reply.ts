import type { QuoteEmailRequest } from '#contracts/server-functions.ts'
import { asServer, type Database, type Query } from '#server/platform/database.ts'
import type { QuoteEmailDependencies } from '#supabase/functions/send-quote-email/handler.ts'
import type { Mailer } from './mailer.ts'
import { queueEmail } from './queue-email.ts'

/** What send-quote-email works with: see QuoteEmailDependencies in its handler. */
export function createQuoteReplies(database: Database, mailer: Mailer): QuoteEmailDependencies {
  return {
    findQuoteRequest: (id) =>
      database.transaction(asServer, async (query) => {
        const [request] = await query<{ id: string; name: string; email: string }>(
          'select id, name, email from public.quote_requests where id = $1',
          [id],
        )
        return request
      }),
    async send(email, reply) {
      const id = await database.transaction(asServer, async (query) => {
        const emailId = await queueEmail(query, email)
        await tryAgainWhenFailed(query, emailId)
        await logReply(query, emailId, email.to.email, reply)
        return emailId
      })
      const status = await mailer.deliver(id)
      return status === 'sent' || status === 'kept'
    },
  }
}

/** The admin pressed Send again after a failure: the same message, the same Message-ID. */
async function tryAgainWhenFailed(query: Query, emailId: string): Promise<void> {
  await query(
    `update public.emails set status = 'queued', attempts = 0, next_attempt_at = now()
     where id = $1 and status = 'failed'`,
    [emailId],
  )
}

async function logReply(
  query: Query,
  emailId: string,
  recipientEmail: string,
  reply: QuoteEmailRequest,
): Promise<void> {
  await query(
    `insert into public.quote_email_logs (
       quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft,
       polished_draft, final_body, vehicle_info)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (email_id) do nothing`,
    [
      reply.quoteRequestId,
      emailId,
      recipientEmail,
      reply.recipientName,
      reply.subject,
      reply.originalDraft,
      reply.polishedDraft ?? null,
      reply.finalBody,
      reply.vehicleInfo,
    ],
  )
}
