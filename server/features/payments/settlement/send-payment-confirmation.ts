import { accepted, refused } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { callStripe } from '../call-stripe.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { ConfirmationResult } from '../payment-results.ts'
import { receiptOf } from './prepare-receipt.ts'
import { settlePayment } from './settle-payment.ts'
import { verificationCodes } from '../checkout/verify-payment.ts'

/**
 * Ensures that the receipt for a paid invoice is queued exactly once, addressed to the payer. The client cannot choose
 * the email address or the text. Throws QueueFullError when too many requests are waiting.
 */
export async function sendPaymentConfirmation(
  context: PaymentContext,
  invoiceId: string,
): Promise<ConfirmationResult> {
  const { confirmations, queues } = context.paymentQueues
  const existing = await findReceipt(context, invoiceId)
  if (existing) return accepted({ emailId: existing })
  return confirmations(invoiceId, () => queues.verification(() => confirm(context, invoiceId)))
}

function confirm(context: PaymentContext, invoiceId: string): Promise<ConfirmationResult> {
  return callStripe(verificationCodes, async () => {
    await settlePayment(context, invoiceId)
    const written = await findReceipt(context, invoiceId)
    return written ? accepted({ emailId: written }) : refused({ code: 'PAYMENT_PENDING' })
  })
}

function findReceipt({ database }: PaymentContext, invoiceId: string): Promise<string | undefined> {
  return database.transaction(asServer, (query) => receiptOf(query, invoiceId))
}
