import * as z from 'zod/mini'
import { quoteEmailRequest } from '#contracts/api/server-functions.ts'
import { command } from '#contracts/commands/command.ts'

/**
 * Replies to a quote request by email and completes the request. The server waits for the mail server before it
 * responds. REPLY_NOT_SENT means that the mail server did not accept the email; the request is then pending again.
 */
export const replyToQuoteCommand = command(
  'reply-to-quote',
  quoteEmailRequest,
  z.object({ emailId: z.uuid() }),
)
