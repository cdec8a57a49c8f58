import type { Deposit } from '#contracts/payments/deposits.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { heldPayments } from '#web/dashboard/kit/deposits/deposit-text.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { Button } from '#web/ui/button/button.tsx'

/** The dialog that staff opened about a paid deposit. `id` is the id of the payment that the dialog changes. */
export type HeldDialog =
  | { readonly name: 'refund' }
  | { readonly name: 'correct' | 'return-check'; readonly id: string }

type Props = {
  deposit: Deposit
  /** Whether staff can still refund or correct the deposit, because no invoice exists. */
  canChange: boolean
  onOpen: (dialog: HeldDialog) => void
}

/** The buttons for a paid deposit that is not on an invoice yet: refund, returned check, and correction. */
export function HeldDeposit({ deposit, canChange, onOpen }: Props) {
  return (
    <>
      <p className="hint">
        Deducted from the invoice automatically. Refundable until an invoice exists.
      </p>
      {canChange && (
        <div className="deposit-actions">
          <Button compact onClick={() => onOpen({ name: 'refund' })}>
            Refund deposit…
          </Button>
          {correctableLines(deposit).map((line) => (
            <LineButtons key={line.id} line={line} onOpen={onOpen} />
          ))}
        </div>
      )}
    </>
  )
}

type Line = Deposit['lines'][number]

/** Returns the deposit payments made at the counter that were not refunded, reversed or applied to an invoice. */
const correctableLines = (deposit: Deposit): Line[] =>
  heldPayments(deposit).filter(({ method }) => method !== 'card_online')

function LineButtons({ line, onOpen }: { line: Line } & Pick<Props, 'onOpen'>) {
  const { id, method, amountCents } = line
  const about = (
    <span className="visually-hidden">
      {' '}
      {methodNames[method]}, {formatCents(amountCents)}
    </span>
  )
  return (
    <>
      {method === 'check' && (
        <Button compact level="quiet" onClick={() => onOpen({ name: 'return-check', id })}>
          Returned check…{about}
        </Button>
      )}
      <Button compact level="quiet" onClick={() => onOpen({ name: 'correct', id })}>
        Recorded wrongly…{about}
      </Button>
    </>
  )
}
