import type { ErrorCode } from '#contracts/errors.ts'
import type { Payment } from '#contracts/payments.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database.ts'
import { stripeFailure } from '#server/platform/stripe.ts'
import { paidIntentOf } from './invoice-sessions.ts'
import { outcomeOf } from './ledger.ts'
import type { PaymentContext } from './payment-context.ts'
import { maskEmail, presentPayment } from './present-payment.ts'
import { settlePayment } from './settle-payment.ts'

type Verified = Result<Payment, { readonly code: ErrorCode; readonly cause?: unknown }>

/**
 * What was paid in this checkout, settled if nobody has done so yet. `invoiceId`, if given, must be the
 * invoice it was for. Who opens a checkout of an invoice gets its session's id, and a second tab or
 * person gets the same one: the id proves that there was a checkout, not who paid in it. So it shows
 * whole only the address that the invoice itself shows to who looks it up.
 */
export function verifySession(
  context: PaymentContext,
  { sessionId, invoiceId }: { sessionId: string; invoiceId?: string | undefined },
): Promise<Verified> {
  return asking(async () => {
    const session = await context.stripe.checkout.sessions.retrieve(sessionId, {
      expand: ['payment_intent'],
    })
    const paidFor = session.metadata?.['invoice_id']
    if (!paidFor || (invoiceId && invoiceId !== paidFor)) {
      return refused({ code: 'PAYMENT_NOT_FOUND' })
    }
    const intent = paidIntentOf(session)
    if (!intent) return refused({ code: 'PAYMENT_PENDING' })
    const invoice = await settlePayment(context, paidFor)
    const outcome = await context.database.transaction(asServer, (query) =>
      outcomeOf(query, intent.id),
    )
    if (outcome === 'refunded') return refused({ code: 'PAYMENT_REFUNDED' })
    const payer = session.customer_details?.email ?? null
    const email = invoice.customer_email
    const isOnInvoice = payer === null || payer === email
    return accepted(presentPayment(invoice, isOnInvoice ? email : maskEmail(payer)))
  })
}

/** Whether the invoice is paid. Whoever was ever told its id may ask: the address is masked. */
export function verifyInvoice(context: PaymentContext, invoiceId: string): Promise<Verified> {
  return asking(async () => {
    const known = await context.stripe.invoices.retrieve(invoiceId)
    const invoice = known.status === 'open' ? await settlePayment(context, invoiceId) : known
    if (invoice.status !== 'paid') return refused({ code: 'PAYMENT_PENDING' })
    return accepted(presentPayment(invoice, maskEmail(invoice.customer_email)))
  })
}

async function asking(work: () => Promise<Verified>): Promise<Verified> {
  try {
    return await work()
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    const code = failure === 'missing' ? 'PAYMENT_NOT_FOUND' : 'VERIFICATION_UNAVAILABLE'
    return refused({ code, cause: error })
  }
}
