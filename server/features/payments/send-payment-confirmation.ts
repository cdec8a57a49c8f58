import type { ErrorCode } from '#contracts/errors.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database/database.ts'
import { stripeFailure } from './stripe.ts'
import type { PaymentContext } from './payment-context.ts'
import { receiptOf } from './prepare-receipt.ts'
import { settlePayment } from './settle-payment.ts'

export type Confirmed = Result<
  { emailId: string },
  { readonly code: ErrorCode; readonly cause?: unknown }
>

/**
 * Sees to it that the receipt of a paid invoice is in the outbox, once, to who paid. Whoever asks
 * cannot choose the address or the words. TooBusy when too many ask.
 */
export async function sendPaymentConfirmation(
  context: PaymentContext,
  invoiceId: string,
): Promise<Confirmed> {
  const { confirmations, lanes } = context.traffic
  const known = await findReceipt(context, invoiceId)
  if (known) return accepted({ emailId: known })
  return confirmations(invoiceId, () => lanes.verification(() => confirm(context, invoiceId)))
}

async function confirm(context: PaymentContext, invoiceId: string): Promise<Confirmed> {
  try {
    await settlePayment(context, invoiceId)
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    const code = failure === 'missing' ? 'PAYMENT_NOT_FOUND' : 'VERIFICATION_UNAVAILABLE'
    return refused({ code, cause: error })
  }
  const written = await findReceipt(context, invoiceId)
  return written ? accepted({ emailId: written }) : refused({ code: 'PAYMENT_PENDING' })
}

function findReceipt({ database }: PaymentContext, invoiceId: string): Promise<string | undefined> {
  return database.transaction(asServer, (query) => receiptOf(query, invoiceId))
}
