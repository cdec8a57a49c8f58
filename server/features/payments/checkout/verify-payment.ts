import { accepted, refused } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { callStripe } from '../call-stripe.ts'
import { paidIntentOf } from './invoice-sessions.ts'
import { outcomeOf } from '../settlement/ledger.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { Verified, VerifiedSession } from '../payment-results.ts'
import { maskEmail, presentPayment } from './present-payment.ts'
import { settlePayment } from '../settlement/settle-payment.ts'

/** Also what asking for the receipt of a payment is refused with. */
export const verificationCodes = {
  missing: 'PAYMENT_NOT_FOUND',
  otherwise: 'VERIFICATION_UNAVAILABLE',
} as const

/**
 * What was paid in this checkout, settled if nobody has done so yet. `invoiceId`, if given, must be the
 * invoice it was for. Who opens a checkout of an invoice gets its session's id, and a second tab or
 * person gets the same one: the id proves that there was a checkout, not who paid in it. So it shows
 * whole only the address that the invoice itself shows to who looks it up. QueueFullError when too many ask.
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
  // What is in the ledger is settled, whoever looks at the page again.
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
 * Whether the invoice is paid. Whoever was ever told its id may ask: the address is masked. QueueFullError when
 * too many ask.
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

/** All who ask the same at once are told the same. */
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
