import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { timeAgo } from '#domain/text/time-ago.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { laterPaymentText } from './payment-text.ts'
import type { TakingProblem } from './taking-errors.ts'
import { useNow } from './use-now.ts'

type Props = {
  invoice: ListedInvoice
  /** The newest payment that was recorded after the panel was opened. */
  later: LedgerLine | undefined
  /** Whether the amount field shows the whole balance, because staff have typed no smaller amount. */
  isWhole: boolean
  isBusy: boolean
  problem: TakingProblem | undefined
}

/**
 * The notices of the panel: the browser is offline, a payment failed, another window recorded a payment, or the
 * customer has the online payment page open.
 */
export function PaymentNotices({ invoice, later, isWhole, isBusy, problem }: Props) {
  const isOffline = useOfflineSince() !== undefined
  const now = useNow()
  const nameOf = useNameOf()
  return (
    <div className="pay-notices" role="status">
      {isOffline && (
        <Notice tone="warn" title="No connection. Nothing is saved until the connection is back.">
          Your entries are kept. Write a paper receipt if the customer must leave.
        </Notice>
      )}
      {problem && (
        <Notice tone="bad" title={problem.title}>
          {problem.text}
        </Notice>
      )}
      {later && (
        <Notice
          title={laterPaymentText(later, {
            customer: invoice.customerName || 'The customer',
            nameOf,
            now,
          })}
        >
          {balanceNow(invoice, isWhole)}
        </Notice>
      )}
      {invoice.paymentPageOpenedAt !== null && invoice.balanceCents > 0 && (
        <OpenPage invoice={invoice} openedAt={invoice.paymentPageOpenedAt} isBusy={isBusy} />
      )}
    </div>
  )
}

function balanceNow({ balanceCents, currency }: ListedInvoice, isWhole: boolean): string {
  const balance = `The balance is now ${formatCents(balanceCents, currency)}.`
  return isWhole && balanceCents > 0
    ? `${balance} Your amount was changed to this balance. Check the amount before you take the money.`
    : balance
}

/**
 * The time, in milliseconds, after a customer opened the payment page, during which the panel assumes that the customer
 * is paying.
 */
const payingMs = 600_000

function OpenPage(props: { invoice: ListedInvoice; openedAt: string; isBusy: boolean }) {
  const { invoice, openedAt, isBusy } = props
  const now = useNow()
  const who = invoice.customerName || 'The customer'
  const opened = new Date(openedAt)
  if (isBusy) {
    return (
      <Notice title="Closing the online payment page…">
        Set the money aside until the payment is recorded.
      </Notice>
    )
  }
  const at = `${formatShopTime(opened)}, ${timeAgo(opened, now)}`
  return now.getTime() - opened.getTime() < payingMs ? (
    <Notice tone="warn" title={`${who} is paying this invoice online right now`}>
      The payment page was opened at {at}. Ask the customer to finish or to stop.
    </Notice>
  ) : (
    <Notice title={`${who} opened the payment page at ${at}`}>
      The online payment page is closed when you take a payment here.
    </Notice>
  )
}
