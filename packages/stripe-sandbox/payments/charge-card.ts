import type { Call } from '../api/route.ts'
import { newId, randomText } from '../objects/new-id.ts'
import type { WireCharge, WirePaymentIntent } from '../objects/wire.ts'
import type { Decline, TestCard } from './test-cards.ts'

/** The name and the email address from the card form. */
type Payer = { readonly name: string | null; readonly email: string | null }
/** A card as the sandbox stores it: without the whole number and without the security code. */
export type CardUse = {
  readonly card: TestCard
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly payer: Payer
}
export type ChargeOutcome = {
  readonly intent: WirePaymentIntent
  readonly charge: WireCharge
  readonly decline: Decline | undefined
}

/**
 * Confirms a PaymentIntent with a card and creates one charge, which succeeds or fails. The caller must have locked the
 * PaymentIntent.
 */
export async function chargeCard(
  call: Call,
  intent: WirePaymentIntent,
  use: CardUse,
): Promise<ChargeOutcome> {
  const { decline } = use.card
  const charge = newCharge(call, intent, use)
  await call.store.insert(charge)
  const confirmed = await call.store.save(
    decline ? declinedIntent(intent, charge, decline) : paidIntent(intent, charge),
  )
  await call.emit(decline ? 'charge.failed' : 'charge.succeeded', charge)
  await call.emit(decline ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', confirmed)
  return { intent: confirmed, charge, decline }
}

function paidIntent(intent: WirePaymentIntent, charge: WireCharge): WirePaymentIntent {
  return {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    status: 'succeeded',
  }
}

function declinedIntent(
  intent: WirePaymentIntent,
  charge: WireCharge,
  decline: Decline,
): WirePaymentIntent {
  return {
    ...intent,
    last_payment_error: {
      charge: charge.id,
      code: decline.code,
      ...(decline.declineCode === undefined ? {} : { decline_code: decline.declineCode }),
      message: decline.message,
      type: 'card_error',
    },
    latest_charge: charge.id,
    status: 'requires_payment_method',
  }
}

function newCharge({ account, now }: Call, intent: WirePaymentIntent, use: CardUse): WireCharge {
  const { decline } = use.card
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: null,
      email: use.payer.email,
      name: use.payer.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: account.statementDescriptor,
    captured: !decline,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcome(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: newId('pm'),
    payment_method_details: { card: cardDetails(use, intent.amount), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `/sandbox/receipt/${randomText(40)}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

function outcome(decline: Decline | undefined): WireCharge['outcome'] {
  return {
    advice_code: decline ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? (decline.declineCode ?? decline.code) : null,
    risk_level: 'normal',
    seller_message: decline ? 'The bank did not approve this payment.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  }
}

type CardDetails = NonNullable<NonNullable<WireCharge['payment_method_details']>['card']>

function cardDetails({ card, expiryMonth, expiryYear }: CardUse, amount: number): CardDetails {
  return {
    amount_authorized: card.decline ? null : amount,
    authorization_code: null,
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card.decline?.code === 'incorrect_cvc' ? 'fail' : 'pass',
    },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: expiryMonth,
    exp_year: expiryYear,
    funding: 'credit',
    installments: null,
    last4: card.number.slice(-4),
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}
