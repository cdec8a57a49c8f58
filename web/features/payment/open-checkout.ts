import * as z from 'zod/mini'
import { createCheckoutResponse } from '#contracts/payments.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { postJson } from '#web/lib/api.ts'
import { checkoutFailure } from './failure-message.ts'

/** The address of the page on which the invoice is paid; a refusal is the message to show. */
export async function openCheckout(invoiceId: string): Promise<Result<string, string>> {
  const reply = await postJson('/api/create-checkout', { invoiceId })
  if (reply.kind === 'json' && reply.httpOk) {
    const opened = z.safeParse(createCheckoutResponse, reply.body)
    if (opened.success) return accepted(opened.data.checkout.url)
  }
  return refused(checkoutFailure(reply))
}
