import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import { fields, integer, mergeMetadata, metadata, oneOf, text } from '../api/params.ts'
import { asList, type Call, route } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireCharge } from '../objects/wire.ts'
import { refundCharge } from '../payments/refund-charge.ts'

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
    return refundCharge(call, charge, params.amount, {
      metadata: mergeMetadata(null, params.metadata),
      reason: params.reason ?? null,
    })
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

/** Locks the charge whose id or PaymentIntent is in the parameters. */
async function lockCharge(
  { store }: Call,
  params: { charge: string | undefined; payment_intent: string | undefined },
): Promise<WireCharge> {
  if (params.charge !== undefined) return store.lock('charge', params.charge, 'charge')
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
  return store.lock('charge', idOf(intent.latest_charge))
}
