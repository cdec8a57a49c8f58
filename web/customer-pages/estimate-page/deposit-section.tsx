import type { EstimatePage } from '#contracts/api/customer-pages.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { depositCents } from '#domain/estimates/deposit-sum.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useShop } from '#web/lib/shop.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { ActionButton, PhoneLink } from '../page-parts.tsx'

/** Whether the customer has to pay a deposit when approving the estimate. */
export const asksForDeposit = ({ deposit }: SentRevision): boolean =>
  deposit?.state === 'asked' || deposit?.state === 'open'

/**
 * Shows the deposit next to the total of the chosen jobs. A script updates both amounts each time the customer chooses
 * or removes a job.
 */
export function DepositNow({ sentRevision, cents }: { sentRevision: SentRevision; cents: number }) {
  const { deposit } = sentRevision
  if (!deposit || !asksForDeposit(sentRevision)) return null
  const nowCents = depositCents(deposit, cents)
  return (
    <div
      className="estimate-deposit"
      data-deposit={deposit.amountCents ?? ''}
      data-share={deposit.sharePercent ?? ''}
    >
      <dl>
        <div>
          <dt>Deposit now</dt>
          <dd data-deposit-now>{formatCents(nowCents)}</dd>
        </div>
        <div>
          <dt>At pickup</dt>
          <dd data-deposit-rest>{formatCents(cents - nowCents)}</dd>
        </div>
      </dl>
      <p className="hint">
        We deduct the deposit from your invoice. You get it back if we cannot do the work.
      </p>
    </div>
  )
}

type DepositProps = {
  readonly sentRevision: SentRevision
  readonly path: string
  readonly notice?: EstimatePage['depositNotice']
}

/** Shows the deposit of an approved estimate: the amount to pay, the paid amount, or the refunded amount. */
export function DepositSection({ sentRevision, path, notice }: DepositProps) {
  const { deposit } = sentRevision
  if (!deposit) return null
  switch (deposit.state) {
    case 'open':
      return <OpenDeposit deposit={deposit} path={path} notice={notice} />
    case 'paid':
    case 'applied':
      return <PaidDeposit deposit={deposit} />
    case 'refunded':
      // If the invoice contains the refund of the deposit, the invoice page shows the refund, and this section stays
      // empty.
      return deposit.lines.every(({ kind }) => kind !== 'refund') ? null : (
        <section className="card estimate-sum" aria-label="Deposit">
          <p className="estimate-deposit-notice" data-tone="good">
            {refundedText(deposit)}
          </p>
        </section>
      )
    default:
      return null
  }
}

function OpenDeposit({
  deposit,
  path,
  notice,
}: { deposit: Deposit } & Omit<DepositProps, 'sentRevision'>) {
  const { phone } = useShop()
  const amount = formatCents(deposit.askedCents)
  return (
    <section className="card estimate-sum" aria-label="Deposit">
      <p className="estimate-deposit-notice" role={notice === undefined ? undefined : 'status'}>
        {notice === 'verifying' && <b>Verifying payment... </b>}
        {notice === 'unavailable' && (
          <b>
            The payment page could not be opened. Nothing was charged, and your approval stays
            valid.{' '}
          </b>
        )}
        {notice === 'not_set_up' && (
          <b>Online payments are not set up. Please pay the deposit at the shop, or call us. </b>
        )}
        <b>You approved {formatCents(deposit.approvedCents)}. The deposit is not paid yet.</b> We
        order the parts when we have received the deposit.
      </p>
      <ActionButton action={`${path}/deposit`} busy="Opening…" variant="primary">
        Pay {amount} deposit
      </ActionButton>
      <a className={buttonClass('quiet')} href={phone.href}>
        Call us to pay another way
      </a>
    </section>
  )
}

function PaidDeposit({ deposit }: { deposit: Deposit }) {
  const payment = deposit.lines.findLast(({ kind }) => kind === 'payment')
  const cents = deposit.heldCents + deposit.appliedCents
  return (
    <section className="card estimate-sum" aria-label="Deposit">
      <dl className="estimate-totals">
        <div>
          <dt>
            Deposit
            {payment && <small>{`${wayOf(payment.method)}, ${formatStamp(payment.paidAt)}`}</small>}
          </dt>
          <dd>−{formatCents(cents)}</dd>
        </div>
        {deposit.state === 'paid' && (
          <div className="estimate-all">
            <dt>At pickup</dt>
            <dd>{formatCents(Math.max(deposit.approvedCents - cents, 0))}</dd>
          </div>
        )}
      </dl>
      <p className="hint">
        {deposit.state === 'paid' ? (
          <>
            If we cannot do the work, we refund the deposit by the original payment method.
            Questions? Call <PhoneLink />.
          </>
        ) : (
          'We deducted your deposit from the invoice.'
        )}
      </p>
    </section>
  )
}

const ways: Readonly<Record<string, string>> = {
  card_online: 'Card',
  card_terminal: 'Card at the counter',
  cash: 'Cash',
  check: 'Check',
}
const wayOf = (method: string) => ways[method] ?? 'At the counter'

function refundedText({ lines }: Deposit): string {
  const refund = lines.findLast(({ kind }) => kind === 'refund')
  const amount = formatCents(Math.abs(refund?.amountCents ?? 0))
  return refund?.method === 'card_online'
    ? `${amount} is on its way back to your card. Your bank shows it in 5 to 10 days.`
    : `Your deposit of ${amount} was refunded.`
}
