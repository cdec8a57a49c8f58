import { lookupErrors, lookupMessage } from '#contracts/invoices/lookup-errors.ts'
import type { ApiError } from '#web/lib/data/call-api.ts'

/** The message for a failed lookup: the text of the error code, else the server's message, else the HTTP status. */
export function lookupFailure({ reply, code, message }: ApiError): string {
  if (reply.body === undefined) return lookupErrors.NETWORK_ERROR.message
  const text = lookupMessage(code) ?? message
  if (text !== '') return text
  return reply.httpOk ? 'Unknown error' : `${reply.status} ${reply.statusText}`.trim()
}
