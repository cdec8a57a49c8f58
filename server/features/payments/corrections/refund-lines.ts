import type { RefundWay } from '#domain/payments/correction-text.ts'
import type { Query } from '@local/postgres'

/**
 * A refund in the ledger. `paidMethod` and `paidReference` are the method and the reference of the refunded payment.
 */
type RefundLine = {
  readonly id: string
  readonly method: string
  readonly reference: string | null
  readonly paidMethod: string
  readonly paidReference: string | null
}

/** Reads the refunds that were recorded together with a credit note. */
export function readRefunds(query: Query, creditNoteId: string): Promise<readonly RefundLine[]> {
  return query(
    `select line.id, line.method, line.reference, payment.method as "paidMethod",
       payment.reference as "paidReference"
     from public.payments line join public.payments payment on payment.id = line.original_id
     where line.credit_note_id = $1 and line.kind = 'refund'`,
    [creditNoteId],
  )
}

/**
 * Returns the method and the reference of a refund. A refund with the method of the refunded payment uses the reference
 * of that payment.
 */
export function wayOf({ method, reference, paidMethod, paidReference }: RefundLine): RefundWay {
  const isSameWay = method === paidMethod
  return { method, reference: isSameWay ? paidReference : reference, isSameWay }
}
