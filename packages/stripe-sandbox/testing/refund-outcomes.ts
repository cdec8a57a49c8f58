import { idOf } from '../objects/new-id.ts'
import type { WireRefund } from '../objects/wire.ts'
import { type SimulatedAccount, simulate } from './simulate.ts'

/** Simulates that a pending refund succeeds, and records the event refund.updated. */
export async function completeRefund(account: SimulatedAccount, refundId: string): Promise<void> {
  await simulate(account, async ({ emit, store }) => {
    const { pending_reason: _ended, ...refund } = await store.lock('refund', refundId)
    requireStatus(refund, ['pending'])
    await emit('refund.updated', await store.save({ ...refund, status: 'succeeded' }))
  })
}

/**
 * Simulates that the customer's bank rejects a pending or succeeded refund. The amount returns to the account, and the
 * events refund.updated and refund.failed are recorded.
 */
export async function failRefund(account: SimulatedAccount, refundId: string): Promise<void> {
  await simulate(account, async ({ emit, store }) => {
    const charge = await store.lock(
      'charge',
      idOf((await store.retrieve('refund', refundId)).charge),
    )
    const { pending_reason: _ended, ...refund } = await store.lock('refund', refundId)
    requireStatus(refund, ['pending', 'succeeded'])
    const failed = await store.save({
      ...refund,
      failure_reason: 'expired_or_canceled_card',
      status: 'failed',
    })
    const left = charge.amount_refunded - refund.amount
    await store.save({ ...charge, amount_refunded: left, refunded: false })
    await emit('refund.updated', failed)
    await emit('refund.failed', failed)
  })
}

function requireStatus({ id, status }: WireRefund, allowed: readonly string[]): void {
  if (!allowed.includes(String(status)))
    throw new Error(`The refund ${id} has the status ${String(status)}`)
}
