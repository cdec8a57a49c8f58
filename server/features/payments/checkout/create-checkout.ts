import type Stripe from 'stripe'
import type { ErrorCode } from '#contracts/api/errors.ts'
import { accepted, refused } from '#domain/result.ts'
import { callStripe } from '../call-stripe.ts'
import { idOf } from '../stripe.ts'
import { withInvoiceLock } from '../settlement/invoice-lock.ts'
import { cardSession, sessionSeconds } from './card-session.ts'
import { expireSession, sessionsOfInvoice } from './invoice-sessions.ts'
import { deletePaymentPage, openPaymentPage, recordSession } from './payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { CheckoutResult } from '../payment-results.ts'
import { refuseOnlinePayment } from '../refuse-online-payment.ts'
import { settleUnderLock } from '../settlement/settle-payment.ts'

/**
 * The minimum time until the expiry of a checkout session that is reused, so that the customer has enough time to
 * pay.
 */
const leastSecondsLeft = 10 * 60

/**
 * Opens the only checkout session in which an invoice can be paid and returns its URL. A second tab of the customer
 * receives the same session. An older session with another amount is closed first. Throws QueueFullError when too
 * many checkouts are waiting.
 */
export async function createCheckout(
  context: PaymentContext,
  invoiceId: string,
): Promise<CheckoutResult> {
  if (context.paymentMode() === 'not_set_up') return refuseOnlinePayment(context.currentShop())
  const { checkouts, queues } = context.paymentQueues
  return checkouts(invoiceId, () => queues.checkout(() => open(context, invoiceId)))
}

function open(context: PaymentContext, invoiceId: string): Promise<CheckoutResult> {
  return callStripe({ missing: 'NOT_FOUND', otherwise: 'CHECKOUT_UNAVAILABLE' }, () =>
    withInvoiceLock(context.database, invoiceId, async () => {
      // The invoice is settled first: the customer may have paid it in another tab, and the webhook event of the
      // payment may not have arrived yet.
      const invoice = await settleUnderLock(context, invoiceId)
      const code = whyNotPayable(invoice)
      return code ? refused({ code }) : openSession(context, invoice)
    }),
  )
}

function whyNotPayable(invoice: Stripe.Invoice): ErrorCode | undefined {
  if (invoice.status === 'draft') return 'NOT_FINALIZED'
  if (invoice.status === 'paid') return 'ALREADY_PAID'
  return invoice.status === 'open' && invoice.amount_remaining > 0 ? undefined : 'NOT_PAYABLE'
}

async function openSession(
  context: PaymentContext,
  invoice: Stripe.Invoice,
): Promise<CheckoutResult> {
  const sessions = await sessionsOfInvoice(context.stripe, invoice)
  if (sessions.some(isUnderWay)) return refused({ code: 'PAYMENT_PROCESSING' })
  const page = await openPaymentPage(context.database, invoice.id, sessionSeconds)
  if (!page.ok) return page
  const dueCents = Math.min(invoice.amount_remaining, page.value.balanceCents)
  const { pageId } = page.value
  let session: Stripe.Checkout.Session | undefined
  try {
    session = await onlyOpenSession(context, invoice, sessions, dueCents)
  } finally {
    // Stripe may have created the checkout session although the response was lost. Nobody has the URL of such a
    // session, so the record of its payment page is deleted.
    if (!session) await deletePaymentPage(context.database, pageId)
  }
  if (!session) return refused({ code: 'PAYMENT_PROCESSING' })
  await recordSession(context.database, pageId, session.id)
  return session.url ? accepted({ url: session.url }) : refused({ code: 'CHECKOUT_UNAVAILABLE' })
}

/**
 * Returns the only open checkout session of the invoice: an existing one or, if none can be reused, a new one. Closes
 * all other open sessions. Returns undefined when the customer has paid in one of these sessions in the meantime.
 */
async function onlyOpenSession(
  context: PaymentContext,
  invoice: Stripe.Invoice,
  sessions: readonly Stripe.Checkout.Session[],
  dueCents: number,
): Promise<Stripe.Checkout.Session | undefined> {
  const { stripe } = context
  const open = sessions.filter((session) => session.status === 'open')
  const reusable = open.find((session) => isReusable(session, dueCents, context.now()))
  for (const session of open) {
    if (session.id === reusable?.id) continue
    // The checkout session could not be closed because it was paid in the meantime. The webhook event of this payment
    // will settle the invoice.
    if (!(await expireSession(stripe, session.id))) return undefined
  }
  return reusable ?? stripe.checkout.sessions.create(order(context, invoice, dueCents))
}

/** Whether the customer has completed the checkout but the payment is still processing. */
function isUnderWay(session: Stripe.Checkout.Session): boolean {
  const intent = session.payment_intent
  const status = typeof intent === 'string' ? undefined : intent?.status
  return (
    session.status === 'complete' && session.payment_status === 'unpaid' && status === 'processing'
  )
}

function isReusable(session: Stripe.Checkout.Session, dueCents: number, now: number): boolean {
  return (
    session.url !== null &&
    session.amount_total === dueCents &&
    session.expires_at - now / 1000 > leastSecondsLeft
  )
}

function order(
  { publicUrl, now }: PaymentContext,
  invoice: Stripe.Invoice,
  dueCents: number,
): Stripe.Checkout.SessionCreateParams {
  const number = invoice.number ?? invoice.id
  const params = new URLSearchParams({ invoice_id: invoice.id, invoice: number })
  return cardSession(
    {
      reference: invoice.id,
      title: `Invoice ${number}`,
      customer: idOf(invoice.customer),
      metadata: { invoice_id: invoice.id },
      currency: invoice.currency,
      amountCents: dueCents,
      successUrl: `${publicUrl}/payment-success?${params}&session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/pay-invoice?${new URLSearchParams({ invoice: number })}`,
    },
    now(),
  )
}
