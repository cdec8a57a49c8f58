import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { ReceivedPayments } from '#contracts/invoices/invoice-list.ts'
import type { TodayPage } from '#contracts/today.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { TodayCard } from './today-card.tsx'
import { dayCloseLink, invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  received: ReceivedPayments
  expected: TodayPage['expected_payments']
  /** Today's date at the shop, yyyy-MM-dd. */
  today: string
  afterClose: TodayPage['payments_after_close']
  /**
   * The cash, in cents, that should be in the drawer now; null when this amount is unknown, or hidden until staff count
   * the cash.
   */
  drawerCents: number | null
}

/** Today's payments, and the outstanding invoices of the customers who have an appointment today. */
export function PaymentsCard({ received, expected, today, afterClose, drawerCents }: Props) {
  const { receivedCents, payments, refunds, methods } = received
  const expectedCents = Math.max(receivedCents, 0) + expected.cents
  const counts = [
    counted(payments, 'payment'),
    ...(refunds > 0 ? [counted(refunds, 'refund')] : []),
  ]
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
          <b>{formatCents(receivedCents)}</b> <span>received, {counts.join(' and ')}</span>
        </p>
        <p>
          <b>{formatCents(expectedCents)}</b> <span>expected today</span>
        </p>
      </div>
      {expectedCents > 0 && (
        <div
          className="today-rule"
          role="img"
          aria-label={`${formatCents(receivedCents)} of ${formatCents(expectedCents)} received`}
        >
          <i style={{ '--part': `${(receivedCents / expectedCents) * 100}%` } as CSSProperties} />
        </div>
      )}
      <ul className="today-sums">
        {methods.map(({ method, cents }) => (
          <Sum key={method} label={methodNames[method]} cents={cents} />
        ))}
        {expected.invoices > 0 && (
          <Sum
            label={`Expected, ${counted(expected.invoices, 'invoice')} for today’s appointments`}
            cents={expected.cents}
          />
        )}
      </ul>
      <CloseTheDay {...{ today, afterClose, drawerCents }} />
    </TodayCard>
  )
}

/**
 * The link to the page on which staff close the current day and count the cash. After staff have
 * closed the day, the link also states the sum of the payments that the shop has received since then.
 */
function CloseTheDay({
  today,
  afterClose,
  drawerCents,
}: Pick<Props, 'today' | 'afterClose' | 'drawerCents'>) {
  return (
    <div className="today-close">
      <p>
        {drawerCents !== null && `Expected in the drawer: ${formatCents(drawerCents)}`}
        {afterClose &&
          `Received after today’s close, counted for ${formatDayOfYear(afterClose.day)}: ${formatCents(afterClose.receivedCents)}`}
      </p>
      <Link
        className={buttonClass(afterClose ? 'secondary' : 'strong', { compact: true })}
        {...dayCloseLink(today)}
      >
        <Icon name="drawer" />
        {afterClose ? 'Show the close' : 'Close the day'}
      </Link>
    </div>
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
