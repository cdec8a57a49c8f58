import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { formatCents } from '#domain/money/format-cents.ts'
import type { TodaysPayments } from '#domain/today/todays-payments.ts'
import { TodayCard } from './today-card.tsx'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { buttonClass } from '#web/ui/button/button.tsx'

type Props = {
  money: TodaysPayments
  /** Whether open invoices were loaded from Stripe. Otherwise no expected amount is shown. */
  hasInvoices: boolean
}

/** The payments of today, and the open invoices of today's customers. */
export function PaymentsCard({ money, hasInvoices }: Props) {
  const { receivedCents, expectedCents, payments, toCome, toComeCents } = money
  return (
    <TodayCard
      title="Payments today"
      aside={
        <Link className={buttonClass('quiet', { compact: true })} {...invoicesLink}>
          Invoices
        </Link>
      }
    >
      <div className="today-money">
        <p>
          <b>{formatCents(receivedCents)}</b> <span>received, {counted(payments, 'payment')}</span>
        </p>
        {hasInvoices && (
          <p>
            <b>{formatCents(expectedCents)}</b> <span>expected today</span>
          </p>
        )}
      </div>
      {hasInvoices && expectedCents > 0 && (
        <div
          className="today-rule"
          role="img"
          aria-label={`${formatCents(receivedCents)} of ${formatCents(expectedCents)} received`}
        >
          <i style={{ '--part': `${(receivedCents / expectedCents) * 100}%` } as CSSProperties} />
        </div>
      )}
      <ul className="today-sums">
        <Sum label="Card, online" cents={receivedCents} />
        {toCome > 0 && (
          <Sum
            label={`Expected, ${counted(toCome, 'invoice')} for today’s appointments`}
            cents={toComeCents}
          />
        )}
      </ul>
    </TodayCard>
  )
}

function Sum({ label, cents }: { label: string; cents: number }) {
  return (
    <li>
      <Link {...invoicesLink}>
        <span>{label}</span> <b>{formatCents(cents)}</b>
      </Link>
    </li>
  )
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`
}
