import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { PaidOnline } from './paid-online.tsx'
import { TakenPaymentPanel } from './taken-payment.tsx'
import type { Outcome } from './use-taking.ts'

type Props = {
  invoice: ListedInvoice
  lines: readonly LedgerLine[] | undefined
  outcome: Outcome
  onClose: () => void
}

/**
 * The result of the payment. It stays until staff close it, because a toast would disappear before staff have counted
 * the change.
 */
export function EndedPayment({ outcome, ...rest }: Props) {
  return outcome.kind === 'taken' ? (
    <TakenPaymentPanel taken={outcome} {...rest} />
  ) : (
    <PaidOnline order={outcome.order} {...rest} />
  )
}
