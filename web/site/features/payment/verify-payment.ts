import type { ResponseOf } from '#contracts/api/endpoint.ts'
import { type Payment, paymentEndpoints } from '#contracts/payments/payments.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type ApiError, callApi } from '#web/lib/data/call-api.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'

/** The query parameters that Stripe adds when it redirects the browser back to the site. */
export type ReturnAddress = {
  readonly sessionId: string | null
  readonly invoiceId: string | null
  readonly invoiceNumber: string | null
}

export type VerificationResult = { readonly payment: Payment; readonly isTestMode: boolean }

export function readReturnAddress(search: string): ReturnAddress {
  const params = new URLSearchParams(search)
  const read = (name: string) => params.get(name)?.trim() || null
  return {
    sessionId: read('session_id'),
    invoiceId: read('invoice_id'),
    invoiceNumber: read('invoice'),
  }
}

/**
 * Returns a function that verifies the payment by its Stripe Checkout Session, or by its invoice if the URL names
 * no session; undefined when the URL names neither.
 */
export function verificationOf({
  sessionId,
  invoiceId,
}: ReturnAddress): (() => Promise<Result<VerificationResult, string>>) | undefined {
  if (sessionId !== null) {
    const sent = { sessionId, ...(invoiceId !== null && { invoiceId }) }
    return async () => read(await callApi(paymentEndpoints.verifySession, sent))
  }
  if (invoiceId === null) return undefined
  return async () => read(await callApi(paymentEndpoints.verifyInvoice, { invoiceId }))
}

type VerifyResponse = ResponseOf<typeof paymentEndpoints.verifyInvoice>

function read(result: Result<VerifyResponse, ApiError>): Result<VerificationResult, string> {
  if (!result.ok) return refused(verificationFailure(result.refusal))
  const { payment, testMode = false } = result.value
  return accepted({ payment, isTestMode: testMode })
}

/** The message for a payment that could not be verified (docs/product.md 8). */
export function verificationFailure({ reply, message }: ApiError): string {
  if (reply.body === undefined) return 'Unable to verify payment status'
  return message || 'Failed to verify payment'
}

/**
 * Asks the server to email the receipt now. If the request fails, the visitor sees no error, because the server also
 * sends the receipt without this request.
 */
export async function requestConfirmation({ invoiceId, customerEmail }: Payment): Promise<void> {
  const request = { invoiceId, customerEmail: customerEmail ?? '', customerName: '' }
  const sent = await callApi(paymentEndpoints.sendConfirmation, request)
  if (!sent.ok) logQuietly('The payment confirmation was not requested', sent.refusal.reply.status)
}
