import type { Call } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import { newPaymentIntent } from '../objects/new-payment-intent.ts'
import type { WirePaymentIntent, WireSession } from '../objects/wire.ts'
import { type CardUse, chargeCard } from './charge-card.ts'
import { expireSession } from './expire-sessions.ts'
import type { Decline } from './test-cards.ts'

export type SessionPayment =
  | { readonly status: 'complete'; readonly session: WireSession }
  | { readonly status: 'declined'; readonly session: WireSession; readonly decline: Decline }
  | { readonly status: 'expired'; readonly session: WireSession }

/**
 * Pays a Checkout Session with a card. Concurrent and repeated calls result in one successful charge: the session is
 * locked, and later calls return the completed session.
 */
export async function paySession(
  call: Call,
  sessionId: string,
  use: CardUse,
): Promise<SessionPayment> {
  const session = await call.store.lock('checkout.session', sessionId)
  if (session.status === 'complete') return { status: 'complete', session }
  if (session.status !== 'open') return { status: 'expired', session }
  if (session.expires_at <= call.now)
    return { status: 'expired', session: await expireSession(call, session) }

  const { intent, decline } = await chargeCard(call, await intentOf(call, session), use)
  if (decline) {
    return {
      status: 'declined',
      decline,
      session: await call.store.save({ ...session, payment_intent: intent.id }),
    }
  }
  const complete = await call.store.save<WireSession>({
    ...session,
    customer_details: { ...noDetails, ...session.customer_details, ...use.payer },
    payment_intent: intent.id,
    payment_status: 'paid',
    status: 'complete',
  })
  await call.emit('checkout.session.completed', complete)
  return { status: 'complete', session: complete }
}

const noDetails = {
  address: null,
  business_name: null,
  email: null,
  individual_name: null,
  name: null,
  phone: null,
  tax_exempt: 'none' as const,
  tax_ids: null,
}

/**
 * Returns the PaymentIntent of an earlier attempt whose card was declined, or creates the first
 * PaymentIntent of the Checkout Session.
 */
async function intentOf(call: Call, session: WireSession): Promise<WirePaymentIntent> {
  if (session.payment_intent !== null)
    return call.store.lock('payment_intent', idOf(session.payment_intent))
  const intent = newPaymentIntent({
    amount: session.amount_total ?? 0,
    created: call.now,
    currency: session.currency ?? 'usd',
    customer: session.customer,
    ...session.payment_intent_data,
  })
  await call.emit('payment_intent.created', await call.store.insert(intent))
  return intent
}
