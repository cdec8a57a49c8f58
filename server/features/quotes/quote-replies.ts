import { isDelivered } from '#emails/delivery/deliver-email.ts'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { QuoteEmailDependencies } from '#supabase/functions/send-quote-email/handler.ts'
import type { ReplyLog } from '#supabase/functions/send-quote-email/prepare-reply.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'

/**
 * Creates the functions with which send-quote-email (supabase/functions) reads a quote request, and sends and logs the
 * reply.
 */
export function createQuoteReplies(
  database: Database,
  mailer: Mailer,
): Omit<QuoteEmailDependencies, 'readShop'> {
  return {
    findQuoteRequest: (id) =>
      database.transaction(asServer, async (query) => {
        const [request] = await query(
          'select id, name, email from public.quote_requests where id = $1',
          [id],
        )
        return request
      }),
    async send(email, log) {
      const id = await database.transaction(asServer, (query) => queueQuoteReply(query, email, log))
      return isDelivered(await mailer.deliver(id))
    },
  }
}

/**
 * Queues the email that replies to a quote request and logs the reply. A repeated call with the same text queues no
 * second email. Returns the id of the email.
 */
export async function queueQuoteReply(
  query: Query,
  email: ShopEmail,
  log: ReplyLog,
): Promise<string> {
  const [queued] = rowsAs<{ id: string }>(
    await query('select public.queue_quote_reply($1, $2) as id', [toEmailRow(email), log]),
  )
  if (!queued) throw new Error('public.queue_quote_reply returned no id')
  return queued.id
}
