import { capitalized } from '#domain/text/capitalized.ts'
import { Link } from '@tanstack/react-router'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { receiptLink } from '#web/dashboard/kit/navigation/links.ts'
import { InvoiceStateBadge } from '#web/dashboard/kit/payments/invoice-state-badge.tsx'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { BigSum, PanelTitle } from './panel-parts.tsx'
import { sumText } from './payment-text.ts'
import type { Outcome } from './use-taking.ts'

type Taken = Extract<Outcome, { kind: 'taken' }>
type Props = {
  invoice: ListedInvoice
  lines: readonly LedgerLine[] | undefined
  taken: Taken
  onClose: () => void
}

/** The result 'Payment taken': the change to give back, in large digits, the receipt, and the remaining balance. */
export function TakenPaymentPanel({ invoice, lines, taken, onClose }: Props) {
  const { order, payment, receipt } = taken
  const line = lines?.find(({ id }) => id === payment.paymentId)
  const prints = receipt === 'print'
  return (
    <SidePanel
      open
      onClose={onClose}
      title={<PanelTitle text="Payment taken" invoice={invoice} />}
      footer={
        <div className="pay-foot">
          <Button
            compact
            large
            level="strong"
            data-first-focus={prints ? undefined : true}
            onClick={onClose}
          >
            Done
          </Button>
        </div>
      }
    >
      {payment.paymentPage === 'unknown' && <ProviderIsDown taken={taken} />}
      {order.givenCents !== null && <BigSum name="Change" cents={payment.changeCents} />}
      <Summary taken={taken} line={line} />
      <Facts invoice={invoice} taken={taken} />
      <div className="button-group">
        <Link
          className={buttonClass('secondary', { compact: true })}
          target="_blank"
          data-first-focus={prints ? true : undefined}
          {...receiptLink(payment.paymentId, order.givenCents)}
        >
          <Icon name="print" />
          Print receipt
        </Link>
        {payment.receiptEmailId !== null && <SendAgain emailId={payment.receiptEmailId} />}
      </div>
    </SidePanel>
  )
}

function SendAgain({ emailId }: { emailId: string }) {
  const { resend, busyId } = useResendEmail()
  const isBusy = busyId !== undefined
  return (
    <Button compact level="secondary" disabled={isBusy} onClick={() => resend(emailId)}>
      <Icon name="mail" />
      {isBusy ? 'Sending…' : 'Send again'}
    </Button>
  )
}

function Summary({ taken, line }: { taken: Taken; line: LedgerLine | undefined }) {
  const nameOf = useNameOf()
  const by = line?.recorded_by_name && nameOf(line.recorded_by_name, line.recorded_at)
  const { order, payment } = taken
  const { amountCents, balanceCents } = payment
  return (
    <div className="pay-result" role="status">
      <h3>
        {capitalized(sumText(order.method, amountCents))}.{' '}
        {balanceCents === 0 ? 'Paid in full.' : `${formatCents(balanceCents)} is still open.`}
      </h3>
      <p>
        {[formatShopTime(new Date(payment.paidAt)), by].filter(Boolean).join(', ')}.{' '}
        {order.givenCents !== null && `Cash given: ${formatCents(order.givenCents)}.`}{' '}
        {payment.roundingCents !== 0 && `Rounded from ${formatCents(order.amountCents)} for cash.`}
      </p>
    </div>
  )
}

function Facts({ invoice, taken }: { invoice: ListedInvoice; taken: Taken }) {
  const { payment } = taken
  const isPaid = payment.balanceCents === 0
  return (
    <dl className="pay-facts">
      <dt>Invoice</dt>
      <dd>
        {invoice.number} <InvoiceStateBadge state={isPaid ? 'paid' : 'part_paid'} />
      </dd>
      <dt>Receipt</dt>
      <dd>
        <ReceiptState taken={taken} />
      </dd>
      {payment.paymentPage === 'closed' && (
        <>
          <dt>Online</dt>
          <dd>
            {isPaid
              ? 'The payment page now says that this invoice is paid.'
              : 'The open payment page was closed.'}
          </dd>
        </>
      )}
    </dl>
  )
}

function ReceiptState({ taken: { receipt, payment } }: { taken: Taken }) {
  const canSendEmail = useCanSendEmail()
  if (receipt === 'print') return 'To be printed'
  if (receipt === 'none') return 'None'
  if (payment.receiptEmail === null) return 'Not sent: no email address'
  if (!canSendEmail) return messageInOutbox
  return (
    <>
      <Badge>Queued</Badge> to {payment.receiptEmail}
    </>
  )
}

function ProviderIsDown({ taken: { order, payment } }: { taken: Taken }) {
  const place = order.method === 'cash' ? 'in the ledger and in the drawer' : 'in the ledger'
  return (
    <Notice tone="warn" title="Recorded here. The payment provider does not answer.">
      {capitalized(sumText(order.method, payment.amountCents))} is {place}. The online page of this
      invoice may still offer payment; a payment made there is refunded automatically. The shop
      tries again every minute.
    </Notice>
  )
}
