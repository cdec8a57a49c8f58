import { invalidRequest } from '../api/api-error.ts'
import type { Call } from '../api/route.ts'
import type { WirePaymentRecord } from '../objects/wire.ts'

/**
 * Adds a refund outside Stripe to a payment record. The caller must lock the payment record before the call and save
 * the record afterwards. Without an amount, refunds everything that is not refunded yet. The reference must differ from
 * the references of all other refunds of payment records.
 */
export async function reportRefund(
  call: Call,
  record: WirePaymentRecord,
  reference: string,
  cents: number | undefined,
): Promise<WirePaymentRecord> {
  await requireUnusedReference(call, reference)
  const left = record.amount_guaranteed.value - record.amount_refunded.value
  if (left === 0) throw invalidRequest(`Payment record ${record.id} has already been refunded.`)
  const amount = cents ?? left
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than the unrefunded amount of the payment (${left}).`,
      undefined,
      'amount[value]',
    )
  }
  return {
    ...record,
    amount_refunded: { ...record.amount_refunded, value: record.amount_refunded.value + amount },
    reported_refunds: [...(record.reported_refunds ?? []), { refund_group: reference, amount }],
  }
}

async function requireUnusedReference({ store }: Call, reference: string): Promise<void> {
  // The lock on the reference lasts until the end of the transaction, so one of two concurrent requests with this
  // reference fails.
  await store.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sandbox refund reference ${reference}`,
  ])
  const [used] = await store.all('payment_record', {
    reported_refunds: [{ refund_group: reference }],
  })
  if (!used) return
  throw invalidRequest(
    'A refund with this reference was already reported.',
    undefined,
    'processor_details[custom][refund_reference]',
  )
}
