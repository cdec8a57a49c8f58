import type { ErrorCode } from '#contracts/errors.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database.ts'
import { stripeFailure } from '#server/platform/stripe.ts'
import type { PaymentContext } from './payment-context.ts'
import { receiptOf } from './queue-receipt.ts'
import { settlePayment } from './settle-payment.ts'

type Refusal = { readonly code: ErrorCode; readonly cause?: unknown }

/**
 * Sees to it that the receipt of a paid invoice is in the outbox, once, to who paid. Whoever asks
 * cannot choose the address or the words.
 */
export async function sendPaymentConfirmation(
  context: PaymentContext,
  invoiceId: string,
): Promise<Result<{ emailId: string }, Refusal>> {
  const find = () => context.database.transaction(asServer, (query) => receiptOf(query, invoiceId))
  const known = await find()
  if (known) return accepted({ emailId: known })
  try {
    await settlePayment(context, invoiceId)
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    const code = failure === 'missing' ? 'PAYMENT_NOT_FOUND' : 'VERIFICATION_UNAVAILABLE'
    return refused({ code, cause: error })
  }
  const written = await find()
  return written ? accepted({ emailId: written }) : refused({ code: 'PAYMENT_PENDING' })
}
