import { invalidRequest } from '../api/api-error.ts'
import type { Call } from '../api/route.ts'
import type { WirePaymentIntent } from '../objects/wire.ts'
import { type CardUse, chargeCard } from './charge-card.ts'
import { cardDeclined } from './card-declined.ts'
import { testCardByPaymentMethod } from './test-cards.ts'

/**
 * Confirms a PaymentIntent with a test payment method such as pm_card_visa. The caller must have locked the
 * PaymentIntent.
 */
export async function confirmIntent(
  call: Call,
  intent: WirePaymentIntent,
  paymentMethod: string | undefined,
): Promise<WirePaymentIntent> {
  if (intent.status !== 'requires_payment_method') {
    throw invalidRequest(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
      'payment_intent_unexpected_state',
    )
  }
  const use = cardUse(paymentMethod, call.now, { name: null, email: intent.receipt_email })
  if (!use) {
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_intent_unexpected_state',
      'payment_method',
    )
  }
  const { charge, decline, intent: confirmed } = await chargeCard(call, intent, use)
  if (decline) throw cardDeclined(decline, charge)
  return confirmed
}

/** Returns the test card of a payment method; the card is valid until December of next year. */
export function cardUse(
  paymentMethod: string | undefined,
  now: number,
  payer: CardUse['payer'],
): CardUse | undefined {
  const card = paymentMethod === undefined ? undefined : testCardByPaymentMethod(paymentMethod)
  const expiryYear = new Date(now * 1000).getUTCFullYear() + 1
  return card && { card, expiryMonth: 12, expiryYear, payer }
}
