import { lookupErrors, lookupMessage } from '#contracts/lookup-errors.ts'
import type { ApiReply } from '#web/lib/api.ts'
import { refusalIn } from './failure-message.ts'

/** Finding an invoice: the words of the code, else the server's, else what is known of the answer. */
export function lookupFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return lookupErrors.NETWORK_ERROR.message
  const { code, message } = refusalIn(reply.body)
  const words = lookupMessage(code) ?? message
  if (words !== undefined) return words
  return reply.httpOk ? 'Unknown error' : `${reply.status} ${reply.statusText}`.trim()
}
