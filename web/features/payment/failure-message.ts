import type { ApiRefusal } from '#web/lib/call-api.ts'

/*
 * Which words a failed call is shown with: docs/product.md 8.
 */

export function checkoutFailure({ reply, message }: ApiRefusal): string {
  if (reply.body === undefined) return 'Unable to create checkout session'
  return message || 'Failed to create checkout session'
}

export function verificationFailure({ reply, message }: ApiRefusal): string {
  if (reply.body === undefined) return 'Unable to verify payment status'
  return message || 'Failed to verify payment'
}
