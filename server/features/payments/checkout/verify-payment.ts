import { accepted, refused } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { callStripe } from '../call-stripe.ts'
import { paidIntentOf } from './invoice-sessions.ts'
import { outcomeOf } from '../settlement/ledger.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { Verified, VerifiedSession } from '../payment-results.ts'
import { maskEmail, presentPayment } from './present-payment.ts'
import { settlePayment } from '../settlement/settle-payment.ts'

/** The error codes of a failed payment verification, and of a failed request for a receipt. */
export const verificationCodes = {
  missing: 'PAYMENT_NOT_FOUND',
  otherwise: 'VERIFICATION_UNAVAILABLE',
} as const

/**
 * Returns the payment of a checkout session, and settles the payment first if necessary. If `invoiceId` is set, it must
 * be the id of the invoice that the session pays. The session id does not prove who paid, because every client that
 * opens a checkout of an invoice receives the same session id. The full email address is therefore returned only if it
 * is the address on the invoice, which the invoice lookup also shows. Throws QueueFullError when too many verifications
 * are waiting.
 */
export async function verifySession(
  context: PaymentContext,
  lookup: { sessionId: string; invoiceId?: string | undefined },
): Promise<Verified> {
  const { invoiceId: paidFor, verified } = await verifyOnce(
    context,
    `session ${lookup.sessionId}`,
    () => readSession(context, lookup.sessionId),
  )
  const isAnother = paidFor !== undefined && lookup.invoiceId && lookup.invoiceId !== paidFor
  return isAnother ? refused({ code: 'PAYMENT_NOT_FOUND' }) : verified
}

async function readSession(context: PaymentContext, sessionId: string): Promise<VerifiedSession> {
  const session = await context.stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent'],
  })
  const invoiceId = session.metadata?.['invoice_id']
  if (!invoiceId) return { verified: refused({ code: 'PAYMENT_NOT_FOUND' }) }
  const intent = paidIntentOf(session)
  if (!intent) return { invoiceId, verified: refused({ code: 'PAYMENT_PENDING' }) }
  const readOutcome = () =>
    context.database.transaction(asServer, (query) => outcomeOf(query, intent.id))
  // If the ledger already contains the payment, the payment was settled earlier, so this call only reads the invoice.
  const existing = await readOutcome()
  const invoice = existing
    ? await context.stripe.invoices.retrieve(invoiceId)
    : await settlePayment(context, invoiceId)
  const outcome = existing ?? (await readOutcome())
  if (outcome === 'refunded') return { invoiceId, verified: refused({ code: 'PAYMENT_REFUNDED' }) }
  const payer = session.customer_details?.email ?? null
  const email = invoice.customer_email
  const isOnInvoice = payer === null || payer === email
  const payment = presentPayment(invoice, isOnInvoice ? email : maskEmail(payer))
  return { invoiceId, verified: accepted(payment) }
}

/**
 * Returns the payment of an invoice, if it is paid. Every client that knows the invoice id may call this function,
 * so the email address is masked. Throws QueueFullError when too many verifications are waiting.
 */
export async function verifyInvoice(context: PaymentContext, invoiceId: string): Promise<Verified> {
  const { verified } = await verifyOnce(context, `invoice ${invoiceId}`, () =>
    readInvoice(context, invoiceId),
  )
  return verified
}

async function readInvoice(context: PaymentContext, invoiceId: string): Promise<VerifiedSession> {
  const existing = await context.stripe.invoices.retrieve(invoiceId)
  const invoice = existing.status === 'open' ? await settlePayment(context, invoiceId) : existing
  if (invoice.status !== 'paid') return { verified: refused({ code: 'PAYMENT_PENDING' }) }
  return { verified: accepted(presentPayment(invoice, maskEmail(invoice.customer_email))) }
}

/** Simultaneous requests to verify the same payment share one verification. */
function verifyOnce(
  { paymentQueues }: PaymentContext,
  key: string,
  work: () => Promise<VerifiedSession>,
): Promise<VerifiedSession> {
  return paymentQueues.verifications(key, async () => {
    const lookup = await callStripe(verificationCodes, async () =>
      accepted(await paymentQueues.queues.verification(work)),
    )
    return lookup.ok ? lookup.value : { verified: lookup }
  })
}
