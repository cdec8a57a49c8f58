import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Segments } from '#web/dashboard/kit/controls/segments.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { ledgerDetail, ledgerTitle, type LedgerLine } from '../detail-text.ts'
import type { RefundForm } from './refund-form.ts'
import { RefundParts } from './refund-parts.tsx'
import { RefundShares } from './refund-shares.tsx'
import type { Refund } from './use-refund.ts'

type Props = { refund: Refund; payment: LedgerLine; currency: string }
type HasInvoice = { invoice: InvoiceDetail }

/** Radio buttons for choosing the payment to refund. */
export function RefundPayments({ refund, payment, currency }: Props) {
  const { form, payments } = refund
  return (
    <fieldset className="refund-payments">
      <legend className="field-label">Payment to refund</legend>
      {payments.map((line) => (
        <label key={line.id}>
          <input
            type="radio"
            name="paymentId"
            checked={line.id === payment.id}
            data-first-focus={line.id === payment.id || undefined}
            onChange={() =>
              form.change({ paymentId: line.id, method: '', reference: '', parts: [] })
            }
          />
          <b>
            {ledgerTitle(line)}, {formatCents(line.amountCents, currency)}
          </b>
          <small>{paymentText(line, currency)}</small>
        </label>
      ))}
    </fieldset>
  )
}

/**
 * Describes a payment and its refundable amount: 'Card ending 4417, Nov 27, 5:14 PM. $86.20 refunded before. Up to
 * $212.37.'
 */
function paymentText(line: LedgerLine, currency: string): string {
  const { amountCents, leftCents, paidAt } = line
  const before = amountCents - leftCents
  return [
    [ledgerDetail(line), formatShortStamp(paidAt)].filter(Boolean).join(', ') + '.',
    before > 0 && `${formatCents(before, currency)} refunded before.`,
    `Up to ${formatCents(leftCents, currency)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The radio buttons that choose the sum to refund: the whole payment, chosen jobs or lines, or another sum. */
export function HowMuch({ refund, payment, invoice }: Omit<Props, 'currency'> & HasInvoice) {
  const { form, values, source } = refund
  const { currency } = invoice
  const left = formatCents(payment.leftCents, currency)
  const partsName = invoice.estimateId === null ? 'Lines' : 'Jobs'
  const hasParts = (source?.parts.length ?? 0) > 1
  const choices: (readonly [RefundForm['scope'], string])[] = [
    ['all', `All ${left}`],
    ...(hasParts ? [['parts', partsName] as const] : []),
    ['sum', 'Other sum'],
  ]
  return (
    <fieldset className="refund-sum">
      <legend className="field-label">How much</legend>
      <Segments
        name="scope"
        className="refund-choice"
        choices={choices}
        chosen={values.scope}
        onChoose={(scope) => form.change({ scope })}
      />
      {values.scope === 'parts' && (
        <RefundParts refund={refund} currency={currency} name={partsName} />
      )}
      {values.scope === 'sum' && (
        <Input
          {...form.field('amount')}
          label="Amount, in dollars"
          required
          inputMode="decimal"
          autoComplete="off"
          hint={`Up to ${left}. The sales tax is refunded in proportion.`}
        />
      )}
      <RefundShares refund={refund} currency={currency} />
    </fieldset>
  )
}
