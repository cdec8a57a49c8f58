import type Stripe from 'stripe'
import { idOf } from '../stripe.ts'

/** The maximum number of listed checkout sessions. No customer opens that many sessions for one invoice. */
const maxSessions = 500

/** Lists the checkout sessions of an invoice, newest first, with their payments. */
export async function sessionsOfInvoice(
  stripe: Stripe,
  invoice: Stripe.Invoice,
): Promise<Stripe.Checkout.Session[]> {
  const sessions: Stripe.Checkout.Session[] = []
  let seen = 0
  const all = stripe.checkout.sessions.list({
    customer: idOf(invoice.customer),
    created: { gte: invoice.created },
    limit: 100,
    expand: ['data.payment_intent'],
  })
  for await (const session of all) {
    if (session.metadata?.['invoice_id'] === invoice.id) sessions.push(session)
    seen += 1
    if (seen >= maxSessions) break
  }
  return sessions
}

/** Returns the payment of a paid checkout session; undefined for a session that is not paid. */
export function paidIntentOf(session: Stripe.Checkout.Session): Stripe.PaymentIntent | undefined {
  const intent = session.payment_intent
  if (session.payment_status !== 'paid' || intent === null || typeof intent === 'string') {
    return undefined
  }
  return intent
}

/**
 * Closes an open checkout session. Returns false when the session was no longer open: the customer may have paid in
 * the meantime, so the caller has to check the invoice again.
 */
export async function expireSession(stripe: Stripe, sessionId: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(sessionId)
    return true
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'open') throw error
    return false
  }
}
