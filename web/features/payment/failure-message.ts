import type { ApiReply } from '#web/lib/api.ts'

/*
 * Which words a failed call is shown with: docs/product.md 8. Each takes an answer that the
 * caller could not use.
 */

export function checkoutFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return 'Unable to create checkout session'
  return refusalIn(reply.body).message ?? 'Failed to create checkout session'
}

export function verificationFailure(reply: ApiReply): string {
  if (reply.kind !== 'json') return 'Unable to verify payment status'
  return refusalIn(reply.body).message ?? 'Failed to verify payment'
}

/** The code and the words of a refusal, as far as the body has them. */
export function refusalIn(body: unknown): { code?: unknown; message?: string | undefined } {
  if (typeof body !== 'object' || body === null) return {}
  const { code, message } = body as { code?: unknown; message?: unknown }
  return { code, message: typeof message === 'string' && message !== '' ? message : undefined }
}
