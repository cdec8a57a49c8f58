import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import { emptyable, fields, mergeMetadata, metadata, text } from '../api/params.ts'
import { asList, route } from '../api/route.ts'
import { newId } from '../objects/new-id.ts'
import type { WireCustomer } from '../objects/wire.ts'

const email = () => text(512)

const create = route(
  'POST /v1/customers',
  fields({
    email: email(),
    name: text(256),
    phone: text(20),
    description: text(),
    metadata: metadata(),
  }),
  async ({ store, now, emit }, params) => {
    const customer: WireCustomer = {
      id: newId('cus', 14),
      object: 'customer',
      address: null,
      balance: 0,
      created: now,
      currency: null,
      default_source: null,
      delinquent: false,
      description: params.description ?? null,
      discount: null,
      email: params.email ?? null,
      invoice_prefix: null,
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: mergeMetadata(null, params.metadata),
      name: params.name ?? null,
      phone: params.phone ?? null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    }
    await emit('customer.created', await store.insert(customer))
    return customer
  },
)

const retrieve = route('GET /v1/customers/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('customer', id),
)

const update = route(
  'POST /v1/customers/:id',
  fields({
    email: emptyable(email()),
    name: emptyable(text(256)),
    phone: emptyable(text(20)),
    description: emptyable(text()),
    metadata: metadata(),
  }),
  async ({ store, emit }, params, id) => {
    const customer = await store.lock('customer', id)
    const { metadata: change, ...changes } = params
    const sent = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    )
    const updated = { ...customer, ...sent, metadata: mergeMetadata(customer.metadata, change) }
    await emit('customer.updated', await store.save(updated))
    return updated
  },
)

const list = route(
  'GET /v1/customers',
  fields({ ...pageParams, created: createdParam, email: email() }),
  async ({ store }, params) =>
    asList(
      await store.list('customer', listQuery(params, { email: params.email })),
      '/v1/customers',
    ),
)

export const customerRoutes = [create, retrieve, update, list]
