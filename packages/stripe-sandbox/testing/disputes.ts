import { newDispute } from '../objects/new-dispute.ts'
import { type SimulatedAccount, simulate } from './simulate.ts'

/**
 * Simulates that the cardholder disputes a charge, and records the event charge.dispute.created.
 * @returns the id of the dispute.
 */
export function openDispute(account: SimulatedAccount, chargeId: string): Promise<string> {
  return simulate(account, async ({ emit, now, store }) => {
    const charge = await store.lock('charge', chargeId)
    if (!charge.paid || charge.disputed)
      throw new Error(`The charge ${chargeId} is unpaid or was disputed`)
    await store.save({ ...charge, disputed: true })
    const dispute = await store.insert(newDispute(charge, now))
    await emit('charge.dispute.created', dispute)
    return dispute.id
  })
}

/**
 * Simulates the bank's decision about a dispute, and records the event charge.dispute.closed. When the account wins the
 * dispute, the account keeps the money.
 */
export async function closeDispute(
  account: SimulatedAccount,
  disputeId: string,
  outcome: 'lost' | 'won',
): Promise<void> {
  await simulate(account, async ({ emit, store }) => {
    const dispute = await store.lock('dispute', disputeId)
    if (dispute.status !== 'needs_response')
      throw new Error(`The dispute ${disputeId} is already closed`)
    const closed = { ...dispute, is_charge_refundable: outcome === 'won', status: outcome }
    await emit('charge.dispute.closed', await store.save(closed))
  })
}
