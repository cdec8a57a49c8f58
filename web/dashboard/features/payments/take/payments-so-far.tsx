import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { MethodIcon } from '#web/dashboard/kit/payments/method-icon.tsx'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { recordedText } from './payment-text.ts'

const kinds: Readonly<Record<LedgerLine['kind'], string>> = {
  payment: '',
  refund: 'Refund, ',
  reversal: 'Reversal, ',
  customer_credit: 'Customer credit, ',
  cash_rounding: 'Cash rounding, ',
  applied_deposit: 'Deposit, ',
}

/** The payments of a partly paid invoice, oldest first. */
export function PaymentsSoFar({ lines }: { lines: readonly LedgerLine[] }) {
  const nameOf = useNameOf()
  if (lines.length === 0) return null
  return (
    <section>
      <h3 className="pay-label">Payments so far</h3>
      <ul className="pay-lines">
        {lines.map((line) => (
          <li key={line.id}>
            <MethodIcon method={line.method} />
            <b>
              {kinds[line.kind]}
              {line.kind === 'payment' ? wayOf(line) : wayOf(line).toLowerCase()}
            </b>
            <small>{recordedText(line, nameOf)}</small>
            <span>{formatCents(line.amount_cents, line.currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function wayOf({ method, reference }: LedgerLine): string {
  return method === 'other' ? (reference ?? methodNames.other) : methodNames[method]
}
