import { formatInstantDate, formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useShop } from '#web/lib/shop.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import type { DepositReceipt } from './receipt-api.ts'
import { Line, methodLine, type PageSize, ShopHead } from './receipt-parts.tsx'

type Props = { size: PageSize; receipt: DepositReceipt; givenCents: number | undefined }

/** The receipt of a deposit, or of its refund. */
export function PrintableDeposit({ size, receipt, givenCents }: Props) {
  const { line, estimate, approvedCents } = receipt
  const { phone } = useShop()
  const isRefund = line.kind === 'refund'
  const amountCents = Math.abs(line.amountCents)
  return (
    <article className={`printable-receipt receipt-${size}`}>
      <ShopHead />
      <h3>{isRefund ? 'Receipt for a refunded deposit' : 'Receipt for a deposit'}</h3>
      <dl>
        <Line name="Estimate">{estimate.number}</Line>
        <Line name="Date">
          {formatInstantDate(line.paidAt)}, {formatShopTime(new Date(line.paidAt))}
        </Line>
        <Line name="Customer">{estimate.customerName}</Line>
        <Line name="Vehicle">{estimate.vehicle}</Line>
        <Line name={isRefund ? 'Given by' : 'Taken by'}>
          {line.recordedByName !== null && (
            <StaffName username={line.recordedByName} at={line.paidAt} />
          )}
        </Line>
      </dl>
      <hr />
      <dl>
        <Line name={methodLine(line)} isStrong>
          {formatCents(amountCents)}
        </Line>
        <Line name="Cash given">{givenCents !== undefined && formatCents(givenCents)}</Line>
        <Line name="Change">
          {givenCents !== undefined && formatCents(givenCents - amountCents)}
        </Line>
        <Line name="Approved">{approvedCents !== null && formatCents(approvedCents)}</Line>
        <Line name="At pickup">
          {approvedCents !== null && formatCents(approvedCents - amountCents)}
        </Line>
      </dl>
      {!isRefund && (
        <p>We deduct the deposit from your invoice. You get it back if we cannot do the work.</p>
      )}
      <p className="receipt-foot">This receipt is not an invoice. Questions: {phone.display}.</p>
    </article>
  )
}
