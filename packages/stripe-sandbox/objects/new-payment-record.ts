import type { WirePaymentRecord } from './wire.ts'
import { newId } from './new-id.ts'

type Chosen = Pick<
  WirePaymentRecord,
  'created' | 'customer_details' | 'payment_method_details' | 'processor_details'
> &
  Partial<WirePaymentRecord> & { readonly cents: number; readonly currency: string }

/** Creates a payment record, with all fields of the API, of a payment outside Stripe with the outcome 'guaranteed'. */
export function newPaymentRecord({ cents, currency, ...chosen }: Chosen): WirePaymentRecord {
  const amount = (value: number) => ({ currency, value })
  return {
    id: newId('pr'),
    object: 'payment_record',
    amount: amount(cents),
    amount_authorized: amount(0),
    amount_canceled: amount(0),
    amount_failed: amount(0),
    amount_guaranteed: amount(cents),
    amount_refunded: amount(0),
    amount_requested: amount(cents),
    application: null,
    customer_presence: null,
    description: null,
    latest_payment_attempt_record: newId('par'),
    livemode: false,
    metadata: {},
    reported_by: 'self',
    reported_refunds: [],
    shipping_details: null,
    ...chosen,
  }
}
