import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageOf, pageParams } from '../api/list-params.ts'
import { fields, mergeMetadata, metadata, oneOf, text } from '../api/params.ts'
import { asList, type Call, route } from '../api/route.ts'
import { newSession } from '../objects/new-session.ts'
import type { WireSession } from '../objects/wire.ts'
import { expireDueSessions, expireSession } from '../payments/expire-sessions.ts'
import {
  missing,
  pageAddress,
  readSessionParams,
  sessionExpiry,
  sessionLines,
  type SessionParams,
} from './session-params.ts'

const create = route('POST /v1/checkout/sessions', readSessionParams, async (call, params) => {
  const { store, now } = call
  if (params.mode === undefined) throw missing('mode')
  if (params.success_url === undefined) throw missing('success_url')
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalidRequest(
      'You may only specify one of these parameters: customer, customer_email.',
      'parameters_exclusive',
      'customer',
    )
  }
  const items = sessionLines(params, now)
  const session = newSession({
    items,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    cancel_url: pageAddress(params.cancel_url, 'cancel_url'),
    client_reference_id: params.client_reference_id ?? null,
    created: now,
    currency: items[0]?.currency ?? 'usd',
    customer_creation:
      params.customer === undefined ? (params.customer_creation ?? 'if_required') : null,
    customer_email: params.customer_email ?? null,
    expires_at: sessionExpiry(params.expires_at, now),
    locale: params.locale ?? null,
    metadata: mergeMetadata(null, params.metadata),
    submit_type: params.submit_type ?? null,
    success_url: pageAddress(params.success_url, 'success_url'),
    payment_intent_data: {
      description: params.payment_intent_data?.description ?? null,
      metadata: mergeMetadata(null, params.payment_intent_data?.metadata),
      receipt_email: params.payment_intent_data?.receipt_email ?? null,
    },
    ...(await customerOf(call, params)),
  })
  return store.insert(session)
})

const retrieve = route('GET /v1/checkout/sessions/:id', fields({}), async (call, _params, id) => {
  await expireDueSessions(call)
  return call.store.retrieve('checkout.session', id)
})

const update = route(
  'POST /v1/checkout/sessions/:id',
  fields({ metadata: metadata() }),
  async ({ store }, params, id) => {
    const session = await store.lock('checkout.session', id)
    return store.save({ ...session, metadata: mergeMetadata(session.metadata, params.metadata) })
  },
)

const expire = route(
  'POST /v1/checkout/sessions/:id/expire',
  fields({}),
  async (call, _params, id) => {
    const session = await call.store.lock('checkout.session', id)
    if (session.status === 'open') return expireSession(call, session)
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${String(session.status)}\`.`,
    )
  },
)

const lineItems = route(
  'GET /v1/checkout/sessions/:id/line_items',
  fields(pageParams),
  async ({ store }, params, id) => {
    const items = (await store.retrieve('checkout.session', id)).line_items?.data ?? []
    return pageOf(items, params, `/v1/checkout/sessions/${id}/line_items`)
  },
)

const list = route(
  'GET /v1/checkout/sessions',
  fields({
    ...pageParams,
    created: createdParam,
    customer: text(255),
    payment_intent: text(255),
    status: oneOf('complete', 'expired', 'open'),
  }),
  async (call, params) => {
    await expireDueSessions(call)
    const matching = {
      customer: params.customer,
      payment_intent: params.payment_intent,
      status: params.status,
    }
    return asList(
      await call.store.list('checkout.session', listQuery(params, matching)),
      '/v1/checkout/sessions',
    )
  },
)

export const checkoutSessionRoutes = [create, expire, lineItems, list, retrieve, update]

async function customerOf({ store }: Call, params: SessionParams): Promise<Partial<WireSession>> {
  if (params.customer === undefined) return {}
  const customer = await store.retrieve('customer', params.customer, 'customer')
  return {
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
  }
}
