import type { OwnerNotice } from '#emails/setup/owner-notice.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import type { Query } from '@local/postgres'
import { type LedgerEntry, paymentsOf, recordPayment, type RecordedPayment } from './ledger.ts'
import { receiptOf } from './prepare-receipt.ts'

/**
 * What a settlement knows of an invoice: what was written before, and what it has found out. It asks the
 * processor for seconds, so it writes at its end, all or nothing, in a transaction that waits for nobody.
 */
export type SettlementState = {
  /** Those of the ledger, and the new ones. */
  readonly payments: RecordedPayment[]
  readonly hasReceipt: boolean
  readonly entries: { readonly entry: LedgerEntry; readonly notice: OwnerNotice | undefined }[]
}

export async function loadSettlement(query: Query, invoiceId: string): Promise<SettlementState> {
  const payments = await paymentsOf(query, invoiceId)
  const hasReceipt = (await receiptOf(query, invoiceId)) !== undefined
  return { payments, hasReceipt, entries: [] }
}

/** Notes a payment, with what its owner is told of it. */
export function addSettledPayment(
  settlement: SettlementState,
  entry: LedgerEntry,
  notice?: OwnerNotice,
): void {
  settlement.payments.push(entry)
  settlement.entries.push({ entry, notice })
}

export function hasPayment({ payments }: SettlementState, paymentIntentId: string): boolean {
  return payments.some((payment) => payment.paymentIntentId === paymentIntentId)
}

/** What was paid too much so far, in cents. */
export function overpaidCents({ payments }: SettlementState): number {
  return payments.reduce((sum, payment) => sum + payment.overpaidCents, 0)
}

/** An invoice that was settled at the counter gets no receipt. */
export function needsReceipt({ payments, hasReceipt }: SettlementState): boolean {
  return !hasReceipt && payments.some(({ outcome }) => outcome !== 'refunded')
}

/** Writes what is new. Somebody else may have written the same meanwhile: each is written and told once. */
export async function saveSettlement(
  query: Query,
  { entries }: SettlementState,
  receipt: ShopEmail | undefined,
): Promise<void> {
  for (const { entry, notice } of entries) {
    if ((await recordPayment(query, entry)) && notice) await queueOwnerNotice(query, notice)
  }
  if (receipt) await queueEmail(query, receipt)
}
