import * as z from 'zod/mini'
import { type Payment, verifyPaymentResponse } from '#contracts/payments.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type ApiReply, getJson, postJson } from '#web/lib/api.ts'
import { verificationFailure } from './failure-message.ts'

/** What the processor sent the browser back with. */
export type ReturnAddress = {
  readonly sessionId: string | null
  readonly invoiceId: string | null
  readonly invoiceNumber: string | null
}

export type Verified = { readonly payment: Payment; readonly isTestMode: boolean }

export function readReturnAddress(search: string): ReturnAddress {
  const params = new URLSearchParams(search)
  const read = (name: string) => params.get(name)?.trim() || null
  return {
    sessionId: read('session_id'),
    invoiceId: read('invoice_id'),
    invoiceNumber: read('invoice'),
  }
}

/** By the session if there is one, else by the invoice; undefined when there is nothing to ask for. */
export function verificationPath({ sessionId, invoiceId }: ReturnAddress): string | undefined {
  if (sessionId !== null) {
    const asked = new URLSearchParams({ sessionId, ...(invoiceId === null ? {} : { invoiceId }) })
    return `/api/payment/session-verify?${asked}`
  }
  if (invoiceId === null) return undefined
  return `/api/payment/verify?${new URLSearchParams({ invoiceId })}`
}

export async function verifyPayment(path: string): Promise<Result<Verified, string>> {
  const reply = await getJson(path)
  if (reply.kind === 'json' && reply.httpOk) {
    const verified = z.safeParse(verifyPaymentResponse, reply.body)
    if (verified.success) {
      return accepted({
        payment: verified.data.payment,
        isTestMode: verified.data.testMode ?? false,
      })
    }
  }
  return refused(verificationFailure(reply))
}

/** Asks for the receipt. The visitor sees nothing of a failure: the server sends it anyway. */
export function requestConfirmation(payment: Payment): Promise<ApiReply> {
  return postJson('/api/send-payment-confirmation', {
    invoiceId: payment.invoiceId,
    customerEmail: payment.customerEmail ?? '',
    customerName: '',
  })
}
