import { invalidRequest } from '../api/api-error.ts'
import { listQuery, pageParams } from '../api/list-params.ts'
import {
  fields,
  integer,
  mergeMetadata,
  metadata,
  object,
  oneOf,
  required,
  text,
} from '../api/params.ts'
import { asList, route } from '../api/route.ts'
import { newPaymentRecord } from '../objects/new-payment-record.ts'
import type { WirePaymentRecord } from '../objects/wire.ts'
import { reportRefund } from '../payments/report-refund.ts'

const money = object({ currency: required(text(3)), value: required(integer(1, 99_999_999)) })

// The sandbox accepts only payments with the outcome 'guaranteed', and only custom payment methods with a display name.
const readReport = fields({
  amount_requested: required(money),
  customer_details: object({
    customer: text(255),
    email: text(512),
    name: text(256),
    phone: text(20),
  }),
  customer_presence: oneOf('off_session', 'on_session'),
  description: text(1000),
  guaranteed: required(object({ guaranteed_at: required(integer(0)) })),
  initiated_at: required(integer(0)),
  metadata: metadata(),
  outcome: required(oneOf('guaranteed')),
  payment_method_details: required(
    object({
      custom: required(object({ display_name: required(text(100)) })),
      type: required(oneOf('custom')),
    }),
  ),
  processor_details: object({
    custom: object({ payment_reference: required(text()) }),
    type: required(oneOf('custom')),
  }),
})

const report = route(
  'POST /v1/payment_records/report_payment',
  readReport,
  async ({ store, now }, params) => {
    const customer = params.customer_details?.customer
    if (customer !== undefined)
      await store.retrieve('customer', customer, 'customer_details[customer]')
    return store.insert(toPaymentRecord(params, now))
  },
)

const retrieve = route('GET /v1/payment_records/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('payment_record', id),
)

const list = route(
  'GET /v1/payment_records',
  fields({ ...pageParams, created_after: integer(0), created_before: integer(0) }),
  async ({ store }, params) => {
    const created = { gt: params.created_after, lt: params.created_before }
    const page = await store.list('payment_record', listQuery({ ...params, created }))
    return asList(page, '/v1/payment_records')
  },
)

const refund = route(
  'POST /v1/payment_records/:id/report_refund',
  fields({
    amount: money,
    initiated_at: integer(0),
    metadata: metadata(),
    outcome: required(oneOf('refunded')),
    processor_details: required(
      object({
        custom: required(object({ refund_reference: required(text(255)) })),
        type: required(oneOf('custom')),
      }),
    ),
    refunded: object({ refunded_at: required(integer(0)) }),
  }),
  async (call, params, id) => {
    const record = await call.store.lock('payment_record', id)
    const { currency, value } = params.amount ?? {}
    if (currency !== undefined && currency.toLowerCase() !== record.amount.currency) {
      throw invalidRequest(
        `The currency of the refund must be ${record.amount.currency}, the currency of its payment.`,
        undefined,
        'amount[currency]',
      )
    }
    const reference = params.processor_details.custom.refund_reference
    const refunded = await reportRefund(call, record, reference, value)
    return call.store.save({
      ...refunded,
      metadata: mergeMetadata(record.metadata, params.metadata),
    })
  },
)

export const paymentRecordRoutes = [report, list, retrieve, refund]

function toPaymentRecord(params: ReturnType<typeof readReport>, now: number): WirePaymentRecord {
  const { amount_requested: amount, customer_details: details } = params
  return newPaymentRecord({
    cents: amount.value,
    created: now,
    currency: amount.currency.toLowerCase(),
    customer_details: details
      ? {
          customer: details.customer ?? null,
          email: details.email ?? null,
          name: details.name ?? null,
          phone: details.phone ?? null,
        }
      : null,
    customer_presence: params.customer_presence ?? null,
    description: params.description ?? null,
    metadata: mergeMetadata(null, params.metadata),
    payment_method_details: {
      billing_details: null,
      custom: {
        display_name: params.payment_method_details.custom.display_name,
        type: null,
      },
      payment_method: null,
      type: 'custom',
    },
    processor_details: {
      custom: { payment_reference: params.processor_details?.custom?.payment_reference ?? null },
      type: 'custom',
    },
  })
}
