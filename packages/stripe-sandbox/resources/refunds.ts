import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import { fields, integer, mergeMetadata, metadata, oneOf, text } from '../api/params.ts'
import { asList, type Call, route } from '../api/route.ts'
import { idOf, newId } from '../objects/new-id.ts'
import type { WireCharge, WireRefund } from '../objects/wire.ts'

const create = route(
  'POST /v1/refunds',
  fields({
    amount: integer(1, 99_999_999),
    charge: text(255),
    metadata: metadata(),
    payment_intent: text(255),
    reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  }),
  async (call, params) => {
    const charge = await lockCharge(call, params)
    const left = charge.amount - charge.amount_refunded
    if (left === 0)
      throw invalidRequest(
        `Charge ${charge.id} has already been refunded.`,
        'charge_already_refunded',
      )
    const amount = params.amount ?? left
    if (amount > left) {
      throw invalidRequest(
        `Refund amount ($${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge ($${(left / 100).toFixed(2)})`,
        undefined,
        'amount',
      )
    }
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
      metadata: mergeMetadata(null, params.metadata),
      payment_intent: charge.payment_intent,
      payment_method: charge.payment_method,
      reason: params.reason ?? null,
      receipt_number: null,
      source_transfer_reversal: null,
      status: 'succeeded',
      transfer_reversal: null,
    }
    await call.store.insert(refund)
    const refunded = charge.amount_refunded + amount
    const updated = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount }
    await call.emit('refund.created', refund)
    await call.emit('charge.refunded', await call.store.save(updated))
    return refund
  },
)

const retrieve = route('GET /v1/refunds/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('refund', id),
)

const list = route(
  'GET /v1/refunds',
  fields({ ...pageParams, charge: text(255), created: createdParam, payment_intent: text(255) }),
  async ({ store }, params) => {
    const matching = { charge: params.charge, payment_intent: params.payment_intent }
    return asList(await store.list('refund', listQuery(params, matching)), '/v1/refunds')
  },
)

export const refundRoutes = [create, list, retrieve]

/** Locks the charge whose id or PaymentIntent is in the parameters. Throws an ApiError for an unpaid charge. */
async function lockCharge(
  { store }: Call,
  params: { charge: string | undefined; payment_intent: string | undefined },
): Promise<WireCharge> {
  if (params.charge !== undefined)
    return requirePaid(await store.lock('charge', params.charge, 'charge'))
  if (params.payment_intent === undefined) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    )
  }
  const intent = await store.retrieve('payment_intent', params.payment_intent, 'payment_intent')
  if (intent.latest_charge === null) {
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    )
  }
  return requirePaid(await store.lock('charge', idOf(intent.latest_charge)))
}

function requirePaid(charge: WireCharge): WireCharge {
  if (charge.paid) return charge
  throw invalidRequest(`Charge ${charge.id} was not paid and cannot be refunded.`)
}
