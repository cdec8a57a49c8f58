import * as z from 'zod/mini'
import { quoteEmailRequest } from '#contracts/api/server-functions.ts'
import { command } from '#contracts/commands/command.ts'

/**
 * Replies to a quote request by email and completes it. The response waits for the mail server; REPLY_NOT_SENT means
 * that it did not accept the email, and then the request is pending again.
 */
export const replyToQuoteCommand = command(
  'reply-to-quote',
  quoteEmailRequest,
  z.object({ emailId: z.uuid() }),
)
