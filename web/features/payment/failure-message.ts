import { apiErrors, isErrorCode } from '#contracts/errors.ts'
import type { ApiReply } from '#web/lib/api.ts'

/*
 * Which words a failed call is shown with: specification, section 8. Each takes an answer that the
 * caller could not use.
 */

/** Finding an invoice: the words of the code, else the server's, else what is known of the answer. */
export function lookupFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return apiErrors.NETWORK_ERROR.message
  const { code, message } = refusalIn(reply.body)
  if (isErrorCode(code)) return apiErrors[code].message
  if (message !== undefined) return message
  return reply.httpOk ? 'Unknown error' : `${reply.status} ${reply.statusText}`.trim()
}

export function checkoutFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return 'Unable to create checkout session'
  return refusalIn(reply.body).message ?? 'Failed to create checkout session'
}

export function verificationFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return 'Unable to verify payment status'
  return refusalIn(reply.body).message ?? 'Failed to verify payment'
}

function refusalIn(body: unknown): { code?: unknown; message?: string | undefined } {
  if (typeof body !== 'object' || body === null) return {}
  const { code, message } = body as { code?: unknown; message?: unknown }
  return { code, message: typeof message === 'string' && message !== '' ? message : undefined }
}
