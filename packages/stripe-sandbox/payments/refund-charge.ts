import { invalidRequest } from '../api/api-error.ts'
import type { Call } from '../api/route.ts'
import { newId } from '../objects/new-id.ts'
import type { WireCharge, WireRefund } from '../objects/wire.ts'
import { type TestCard, testCardByLastDigits } from './test-cards.ts'

type Chosen = Partial<Pick<WireRefund, 'metadata' | 'reason'>>

/**
 * Refunds a charge, which the caller must have locked. Without an amount, refunds everything that is not refunded yet.
 * Throws an ApiError when the amount exceeds the unrefunded part.
 */
export async function refundCharge(
  call: Call,
  charge: WireCharge,
  cents: number | undefined,
  chosen: Chosen = {},
): Promise<WireRefund> {
  await requireUndisputed(call, charge)
  const amount = refundableAmount(charge, cents)
  const isPending = cardOf(charge)?.hasPendingRefunds ?? false
  const refund: WireRefund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { card: { reference_status: 'pending', type: 'refund' }, type: 'card' },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(isPending ? { pending_reason: 'processing' } : {}),
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isPending ? 'pending' : 'succeeded',
    transfer_reversal: null,
    ...chosen,
  }
  await call.store.insert(refund)
  const refunded = charge.amount_refunded + amount
  const updated = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount }
  await call.emit('refund.created', refund)
  await call.emit('charge.refunded', await call.store.save(updated))
  return refund
}

function cardOf({ payment_method_details: details }: WireCharge): TestCard | undefined {
  const last4 = details?.card?.last4
  return typeof last4 === 'string' ? testCardByLastDigits(last4) : undefined
}

/**
 * Throws an ApiError for a disputed charge unless the account won the dispute, because the bank decides who gets the
 * money.
 */
async function requireUndisputed({ store }: Call, charge: WireCharge): Promise<void> {
  const disputes = charge.disputed ? await store.all('dispute', { charge: charge.id }) : []
  if (disputes.every(({ status }) => status === 'won')) return
  throw invalidRequest(
    `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    'charge_disputed',
  )
}

/** Returns the amount to refund. Throws an ApiError when the charge cannot be refunded by the requested amount. */
function refundableAmount(charge: WireCharge, cents: number | undefined): number {
  if (!charge.paid) throw invalidRequest(`Charge ${charge.id} was not paid and cannot be refunded.`)
  const left = charge.amount - charge.amount_refunded
  if (left === 0) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      'charge_already_refunded',
    )
  }
  const amount = cents ?? left
  if (amount <= left) return amount
  throw invalidRequest(
    `Refund amount ($${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge ($${(left / 100).toFixed(2)})`,
    undefined,
    'amount',
  )
}
