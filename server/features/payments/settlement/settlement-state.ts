import type { OwnerNotice } from '#emails/setup/owner-notice.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import type { Query } from '@local/postgres'
import { type LedgerEntry, paymentsOf, recordPayment, type RecordedPayment } from './ledger.ts'
import { receiptOf } from './prepare-receipt.ts'

/**
 * The payments of an invoice that are already recorded, and the new payments that this settlement found. The calls
 * to Stripe take seconds, so the settlement saves its results at its end, in one short transaction.
 */
export type SettlementState = {
  /** All payments of the invoice, recorded and new. */
  readonly payments: RecordedPayment[]
  readonly hasReceipt: boolean
  readonly entries: { readonly entry: LedgerEntry; readonly notice: OwnerNotice | undefined }[]
}

export async function loadSettlement(query: Query, invoiceId: string): Promise<SettlementState> {
  const payments = await paymentsOf(query, invoiceId)
  const hasReceipt = (await receiptOf(query, invoiceId)) !== undefined
  return { payments, hasReceipt, entries: [] }
}

/** Adds a new payment and the notice to the owner about that payment. */
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

/** The total overpayment of the invoice in cents. */
export function overpaidCents({ payments }: SettlementState): number {
  return payments.reduce((sum, payment) => sum + payment.overpaidCents, 0)
}

/** Whether a receipt has to be sent: no receipt exists, and at least one online payment was not refunded. */
export function needsReceipt({ payments, hasReceipt }: SettlementState): boolean {
  return !hasReceipt && payments.some(({ outcome }) => outcome !== 'refunded')
}

/**
 * Saves the new payments. A concurrent settlement may have saved the same payments; each payment is stored only once
 * and reported to the owner only once.
 */
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
