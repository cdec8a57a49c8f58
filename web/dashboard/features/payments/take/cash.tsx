import { formatCents } from '#domain/money/format-cents.ts'
import { quickSums } from '#domain/payments/cash.ts'
import { parseAmount } from '#domain/payments/payment-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { amountText } from './payment-text.ts'

type Props = {
  /** The cash, in cents, that the customer has to pay: rounded to five cents if the shop rounds cash. */
  dueCents: number
  /** The amount of the payment before cash rounding, in cents. */
  amountCents: number
  given: string
  onGiven: (text: string) => void
  /** Records a partial payment in the amount of the given cash. The customer still owes the rest of the balance. */
  onTakeGiven: (cents: number) => void
}

/**
 * The fields of a cash payment: the cash that the customer gives, buttons with sums that customers often give, and the
 * change that staff give back. An empty `given` means that the customer gives the exact sum.
 */
export function Cash({ dueCents, amountCents, given, onGiven, onTakeGiven }: Props) {
  const givenCents = given.trim() === '' ? dueCents : parseAmount(given)
  const missingCents = givenCents === undefined ? 0 : dueCents - givenCents
  return (
    <>
      <div className="pay-quick" role="group" aria-label="Given sums">
        <button type="button" aria-pressed={givenCents === dueCents} onClick={() => onGiven('')}>
          Exact
        </button>
        {quickSums(dueCents).map((cents) => (
          <button
            key={cents}
            type="button"
            aria-pressed={givenCents === cents}
            onClick={() => onGiven(amountText(cents))}
          >
            {formatCents(cents).replace(/\.00$/, '')}
          </button>
        ))}
      </div>
      {dueCents !== amountCents && (
        <p className="hint">
          Cash rounding: {formatCents(dueCents)} in place of {formatCents(amountCents)}.
        </p>
      )}
      <p className={missingCents > 0 ? 'pay-change pay-change-short' : 'pay-change'} role="status">
        <span>{missingCents > 0 ? 'Still missing' : 'Change'}</span>{' '}
        <b>{formatCents(Math.abs(missingCents))}</b>
      </p>
      {missingCents > 0 && givenCents !== undefined && givenCents > 0 && (
        <Button compact onClick={() => onTakeGiven(givenCents)}>
          Take {formatCents(givenCents)} now, leave {formatCents(amountCents - givenCents)} open
        </Button>
      )}
    </>
  )
}
