import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import {
  fields,
  flag,
  integer,
  listOf,
  mergeMetadata,
  metadata,
  object,
  oneOf,
  required,
  text,
} from '../api/params.ts'
import { asList, route } from '../api/route.ts'
import { newPaymentIntent } from '../objects/new-payment-intent.ts'
import { confirmIntent } from '../payments/confirm-intent.ts'

const createIntent = route(
  'POST /v1/payment_intents',
  fields({
    allowed_payment_method_types: listOf(oneOf('card')),
    amount: required(integer(50, 99_999_999)),
    confirm: flag(),
    currency: required(text(3)),
    customer: text(255),
    description: text(1000),
    metadata: metadata(),
    payment_method: text(255),
    receipt_email: text(512),
  }),
  async (call, params) => {
    const { customer } = params
    if (customer !== undefined) await call.store.retrieve('customer', customer, 'customer')
    const intent = newPaymentIntent({
      allowed_payment_method_types: params.allowed_payment_method_types ?? null,
      amount: params.amount,
      created: call.now,
      currency: params.currency.toLowerCase(),
      customer: customer ?? null,
      description: params.description ?? null,
      metadata: mergeMetadata(null, params.metadata),
      receipt_email: params.receipt_email ?? null,
    })
    await call.emit('payment_intent.created', await call.store.insert(intent))
    return params.confirm ? confirmIntent(call, intent, params.payment_method) : intent
  },
)

const confirm = route(
  'POST /v1/payment_intents/:id/confirm',
  fields({ payment_method: text(255) }),
  async (call, params, id) =>
    confirmIntent(call, await call.store.lock('payment_intent', id), params.payment_method),
)

const retrieveIntent = route(
  'GET /v1/payment_intents/:id',
  fields({ client_secret: text() }),
  ({ store }, _params, id) => store.retrieve('payment_intent', id),
)

const updateIntent = route(
  'POST /v1/payment_intents/:id',
  fields({ metadata: metadata() }),
  async ({ store }, params, id) => {
    const intent = await store.lock('payment_intent', id)
    return store.save({ ...intent, metadata: mergeMetadata(intent.metadata, params.metadata) })
  },
)

const listIntents = route(
  'GET /v1/payment_intents',
  fields({ ...pageParams, created: createdParam, customer: text(255) }),
  async ({ store }, params) =>
    asList(
      await store.list('payment_intent', listQuery(params, { customer: params.customer })),
      '/v1/payment_intents',
    ),
)

const retrieveCharge = route('GET /v1/charges/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('charge', id),
)

const listCharges = route(
  'GET /v1/charges',
  fields({ ...pageParams, created: createdParam, customer: text(255), payment_intent: text(255) }),
  async ({ store }, params) => {
    const matching = { customer: params.customer, payment_intent: params.payment_intent }
    return asList(await store.list('charge', listQuery(params, matching)), '/v1/charges')
  },
)

const retrieveInvoicePayment = route(
  'GET /v1/invoice_payments/:id',
  fields({}),
  ({ store }, _params, id) => store.retrieve('invoice_payment', id),
)

const listInvoicePayments = route(
  'GET /v1/invoice_payments',
  fields({
    ...pageParams,
    created: createdParam,
    invoice: text(255),
    payment: object({
      payment_intent: text(255),
      payment_record: text(255),
      type: required(oneOf('payment_intent', 'payment_record')),
    }),
    status: oneOf('canceled', 'open', 'paid'),
  }),
  async ({ store }, params) => {
    // A parameter that the request lacks is undefined. JSON omits undefined fields, so this parameter does not restrict
    // the list.
    const { invoice, payment, status } = params
    const query = listQuery(params, { invoice, payment, status })
    return asList(await store.list('invoice_payment', query), '/v1/invoice_payments')
  },
)

export const paymentRoutes = [
  confirm,
  createIntent,
  listCharges,
  listIntents,
  listInvoicePayments,
  retrieveCharge,
  retrieveIntent,
  retrieveInvoicePayment,
  updateIntent,
]
