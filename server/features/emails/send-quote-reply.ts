import { isDelivered } from '#emails/delivery/deliver-email.ts'
import { toEmailRow } from '#emails/delivery/stored-email.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { QuoteEmailDependencies } from '#supabase/functions/send-quote-email/handler.ts'
import type { Mailer } from './transport/mailer.ts'

/** Creates the dependencies of send-quote-email; see QuoteEmailDependencies in its handler. */
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
      const id = await database.transaction(asServer, async (query) => {
        const [queued] = rowsAs<{ id: string }>(
          await query('select public.queue_quote_reply($1, $2) as id', [toEmailRow(email), log]),
        )
        if (!queued) throw new Error('public.queue_quote_reply returned no id')
        return queued.id
      })
      return isDelivered(await mailer.deliver(id))
    },
  }
}
