import type { Estimate } from '#contracts/estimates/estimates.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import type { HeldDialog } from './held-deposit.tsx'

const TakeDeposit = lazyComponent(
  async () => (await import('#web/dashboard/kit/deposits/take-deposit.tsx')).TakeDeposit,
  null,
)
const RefundDeposit = lazyComponent(
  async () => (await import('./refund-deposit.tsx')).RefundDeposit,
  null,
)
const CorrectDeposit = lazyComponent(
  async () => (await import('./correct-deposit.tsx')).CorrectDeposit,
  null,
)
const ReturnDepositCheck = lazyComponent(
  async () => (await import('./return-deposit-check.tsx')).ReturnDepositCheck,
  null,
)

export type OpenDepositDialog = HeldDialog | { readonly name: 'take' }

type Props = {
  dialog: OpenDepositDialog
  estimate: Estimate
  deposit: Deposit
  onClose: () => void
}

/**
 * Renders the dialog that staff opened about a deposit. The browser loads the code of a dialog when staff first open
 * the dialog.
 */
export function DepositDialog({ dialog, estimate, deposit, onClose }: Props) {
  if (dialog.name === 'take') {
    const { id, number, document } = estimate
    return (
      <TakeDeposit
        estimate={{ id, number, customer: document.customer }}
        deposit={deposit}
        onClose={onClose}
      />
    )
  }
  if (dialog.name === 'refund') {
    return <RefundDeposit estimate={estimate} deposit={deposit} onClose={onClose} />
  }
  const line = deposit.lines.find(({ id }) => id === dialog.id)
  if (!line) return null
  if (dialog.name === 'correct') {
    return <CorrectDeposit deposit={deposit} line={line} onClose={onClose} />
  }
  return <ReturnDepositCheck line={line} onClose={onClose} />
}
