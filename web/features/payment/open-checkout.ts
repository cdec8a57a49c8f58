import { paymentEndpoints } from '#contracts/payments.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { callApi } from '#web/lib/call-api.ts'
import { checkoutFailure } from './failure-message.ts'

/** The address of the page on which the invoice is paid; a refusal is the message to show. */
export async function openCheckout(invoiceId: string): Promise<Result<string, string>> {
  const opened = await callApi(paymentEndpoints.createCheckout, { invoiceId })
  return opened.ok ? accepted(opened.value.checkout.url) : refused(checkoutFailure(opened.refusal))
}
