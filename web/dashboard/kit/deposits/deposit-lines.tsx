import { Link } from '@tanstack/react-router'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { receiptLink } from '#web/dashboard/kit/navigation/links.ts'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { depositLineText } from './deposit-text.ts'
import './deposit.css'

/** Lists the payments and refunds of a deposit, and the part of the deposit that was applied to the invoice. */
export function DepositLines({ deposit }: { deposit: Deposit }) {
  const { lines } = deposit
  const nameOf = useNameOf()
  const reason = lines.findLast(({ kind, note }) => kind === 'refund' && note !== null)?.note
  if (lines.length === 0) return null
  return (
    <>
      <ul className="deposit-lines">
        {lines.map((line) => (
          <li className="deposit-row" key={line.id}>
            <span>
              {depositLineText(line, nameOf)}
              {line.kind !== 'reversal' && (
                <>
                  {' '}
                  <Link className="touch-link" target="_blank" {...receiptLink(line.id, null)}>
                    Receipt<span className="visually-hidden"> {depositLineText(line, nameOf)}</span>
                  </Link>
                </>
              )}
            </span>
            <b>
              {line.amountCents < 0 && '−'}
              {formatCents(Math.abs(line.amountCents))}
            </b>
          </li>
        ))}
        {deposit.appliedCents > 0 && (
          <li className="deposit-row">
            <span>On the invoice</span>
            <b>{formatCents(deposit.appliedCents)}</b>
          </li>
        )}
      </ul>
      {reason && <p className="hint">“{reason}”</p>}
    </>
  )
}
