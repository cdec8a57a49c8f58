import { createCheckoutEndpoint } from '#contracts/payments/checkout.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type ApiError, callApi } from '#web/lib/data/call-api.ts'

/**
 * Returns the URL of the page where the customer pays the invoice. If the server refuses, returns the message that the
 * page shows.
 */
export async function openCheckout(invoiceId: string): Promise<Result<string, string>> {
  const opened = await callApi(createCheckoutEndpoint, { invoiceId })
  return opened.ok ? accepted(opened.value.checkout.url) : refused(checkoutFailure(opened.refusal))
}

/** The message for a checkout that did not open (docs/product.md 8). */
export function checkoutFailure({ reply, message }: ApiError): string {
  if (reply.body === undefined) return 'Unable to create checkout session'
  return message || 'Failed to create checkout session'
}
