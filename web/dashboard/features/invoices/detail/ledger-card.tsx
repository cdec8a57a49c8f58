import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { receiptLink } from '#web/dashboard/kit/navigation/links.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import {
  dueAfterPayments,
  ledgerDetail,
  ledgerTitle,
  type LedgerLine,
  reportText,
  reversedPart,
  signedCents,
} from './detail-text.ts'
import type { OpenDialog } from './invoice-dialog.tsx'

type Props = { invoice: InvoiceDetail; onOpen: (dialog: OpenDialog) => void }

/** Lists every line of the invoice's ledger, newest first. Reversed payments stay visible beside their reversals. */
export function LedgerCard({ invoice, onOpen }: Props) {
  const titleId = useId()
  const { ledger, balanceCents, currency } = invoice
  const due = dueAfterPayments(invoice)
  return (
    <section className="card invoice-section" aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>Payments and refunds</h3>
        {balanceCents > 0 && <b>{formatCents(balanceCents, currency)} open</b>}
      </header>
      {ledger.length === 0 && <p className="invoice-empty">{emptyText(invoice)}</p>}
      <ul className="invoice-ledger">
        {ledger.toReversed().map((line) => (
          <LedgerItem
            key={line.id}
            line={line}
            invoice={invoice}
            dueCents={due.get(line.id)}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </section>
  )
}

function emptyText({ paidCents, balanceCents, currency }: InvoiceDetail): string {
  if (paidCents > 0) {
    return `The payment provider reports ${formatCents(paidCents, currency)} as paid. No payment is recorded here.`
  }
  return balanceCents > 0
    ? `No payment yet. The balance is ${formatCents(balanceCents, currency)}.`
    : 'No payment was taken.'
}

type ItemProps = Props & { line: LedgerLine; dueCents: number | undefined }

function LedgerItem({ line, invoice, dueCents, onOpen }: ItemProps) {
  const { amountCents, recordedByName, paidAt } = line
  const { currency } = invoice
  const detail = ledgerDetail(line)
  const reversed = reversedPart(line, invoice.ledger)
  const isReversed = reversed === 'all'
  return (
    <li className={amountCents > 0 ? undefined : 'invoice-line-back'}>
      <span className="invoice-line-what">
        <b>{isReversed ? <s>{ledgerTitle(line)}</s> : ledgerTitle(line)}</b>{' '}
        {reversed !== 'none' && (
          <Badge tone="warn">{isReversed ? 'reversed' : 'part reversed'}</Badge>
        )}
        {detail && <small>{detail}</small>}
        <ReportState line={line} />
      </span>
      <span className="invoice-line-when">
        <time dateTime={paidAt}>{formatShortStamp(paidAt)}</time>
        {recordedByName !== null && (
          <small>
            <StaffName username={recordedByName} at={paidAt} />
          </small>
        )}
      </span>
      <b className="invoice-line-amount">
        {isReversed ? (
          <s>{signedCents(amountCents, currency)}</s>
        ) : (
          signedCents(amountCents, currency)
        )}
      </b>
      <span className="invoice-line-due">
        {dueCents !== undefined && `${formatCents(Math.max(dueCents, 0), currency)} left`}
      </span>
      <LineActions line={line} invoice={invoice} onOpen={onOpen} />
    </li>
  )
}

/** Shows whether the payment provider has accepted or refused the server's report of a payment at the counter. */
function ReportState({ line }: { line: LedgerLine }) {
  const text = reportText(line)
  if (text === '') return null
  if (line.reportState !== 'refused') return <small>{text}</small>
  return (
    <span className="invoice-line-refused">
      <Badge tone="warn">report refused</Badge>
      <small>{text}</small>
    </span>
  )
}

function LineActions({ line, invoice, onOpen }: Props & { line: LedgerLine }) {
  const { id, kind, method, leftCents, amountCents, retryCents } = line
  const isDeposit = kind === 'applied_deposit'
  if (kind !== 'payment' && kind !== 'refund' && !isDeposit) return null
  const isFailed = kind === 'refund' && reversedPart(line, invoice.ledger) !== 'none'
  const isCorrectable =
    kind !== 'refund' &&
    amountCents > 0 &&
    invoice.state !== 'void' &&
    method !== 'card_online' &&
    leftCents === amountCents
  const isRefundable = invoice.can.refund && leftCents > 0
  if (isDeposit && !isCorrectable && !isRefundable) return null
  const about = (
    <span className="visually-hidden">
      {' '}
      {ledgerTitle(line)}, {formatCents(amountCents, invoice.currency)}
    </span>
  )
  if (isFailed && retryCents === 0) return null
  if (retryCents > 0) {
    return (
      <span className="invoice-line-actions">
        <Button compact small level="quiet" onClick={() => onOpen({ name: 'retry-refund', id })}>
          Refund again…{about}
        </Button>
      </span>
    )
  }
  return (
    <span className="invoice-line-actions">
      {!isDeposit && (
        <Link
          className={buttonClass('quiet', { compact: true, small: true })}
          {...receiptLink(id, null)}
        >
          Receipt{about}
        </Link>
      )}
      {isRefundable && (
        <Button compact small level="quiet" onClick={() => onOpen({ name: 'refund', id })}>
          Refund…{about}
        </Button>
      )}
      {isCorrectable && method === 'check' && (
        <Button compact small level="quiet" onClick={() => onOpen({ name: 'return-check', id })}>
          Returned check…{about}
        </Button>
      )}
      {isCorrectable && (
        <Button compact small level="quiet" onClick={() => onOpen({ name: 'correct-payment', id })}>
          Recorded wrongly…{about}
        </Button>
      )}
    </span>
  )
}
