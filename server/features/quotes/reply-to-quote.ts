import { replyToQuoteCommand as endpoint } from '#contracts/reply-to-quote.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { accepted } from '#domain/result.ts'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { prepareReply } from '#supabase/functions/send-quote-email/prepare-reply.ts'
import { queueQuoteReply } from './quote-replies.ts'

/**
 * Completes a quote request, queues the reply email and logs the reply. If the delivery fails, the quote request
 * becomes pending again.
 */
export const replyToQuoteCommand = (currentShop: CurrentShop) =>
  defineCommand(endpoint, {
    async asStaff(query, input) {
      const [request] = await query(
        'select id, name, email from public.quote_requests where id = $1 for update',
        [input.quoteRequestId],
      )
      const prepared = await prepareReply(currentShop(), request, input)
      if (prepared.ok) {
        await query(`update public.quote_requests set status = 'completed' where id = $1`, [
          input.quoteRequestId,
        ])
      }
      return prepared
    },
    asServer: async (query, _input, { email, log }) =>
      accepted({ emailId: await queueQuoteReply(query, email, log) }),
  })
