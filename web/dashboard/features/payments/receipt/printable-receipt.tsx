import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatInstantDate, formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { receiptSums, type ReceiptSums } from '#domain/payments/receipt-sums.ts'
import { paths } from '#web/lib/paths.ts'
import { CodePicture } from '#web/dashboard/kit/payments/code-picture.tsx'
import { useInvoiceLink } from '#web/dashboard/kit/payments/use-invoice-link.ts'
import { useShop } from '#web/lib/shop.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import type { ReceiptData } from './receipt-api.ts'
import { Line, methodLine, type PageSize, ShopHead } from './receipt-parts.tsx'

type Props = {
  size: PageSize
  receipt: ReceiptData
  /** The cash that the customer gave; undefined when it is unknown. */
  givenCents: number | undefined
}

/** The printable receipt: black only, because thermal printers print neither gray nor color. */
export function PrintableReceipt({ size, receipt, givenCents }: Props) {
  const { payment, invoice, lines, reductions } = receipt
  if (payment.kind === 'refund') return <PrintableRefund size={size} receipt={receipt} />
  const sums = receiptSums(lines, payment, { totalCents: invoice.totalCents, reductions })
  const isPaid = sums.balanceCents === 0
  const money = (cents: number) => formatCents(cents, invoice.currency)
  return (
    <article className={`printable-receipt receipt-${size}`}>
      <ShopHead />
      <h3>{isPaid ? 'Receipt' : 'Receipt for a part payment'}</h3>
      <Facts receipt={receipt} />
      <hr />
      <dl>
        <Line name={isPaid ? 'Total' : 'Invoice total'} isStrong={isPaid}>
          {money(invoice.totalCents)}
        </Line>
        <Line name="Sales tax in it">
          {invoice.taxCents !== null && invoice.taxCents > 0 && money(invoice.taxCents)}
        </Line>
        <Line name="Paid before">{sums.paidBeforeCents > 0 && money(sums.paidBeforeCents)}</Line>
      </dl>
      <hr />
      <Payment receipt={receipt} sums={sums} givenCents={givenCents} />
      <p className="receipt-balance">
        <span>Balance</span> <span>{money(sums.balanceCents)}</span>
      </p>
      <Foot receipt={receipt} isPaid={isPaid} />
    </article>
  )
}

function Facts({ receipt: { payment, invoice } }: { receipt: ReceiptData }) {
  return (
    <dl>
      <Line name="Invoice">{invoice.number ?? 'Without a number'}</Line>
      <Line name="Date">
        {formatInstantDate(payment.paid_at)}, {formatShopTime(new Date(payment.paid_at))}
      </Line>
      <Line name="Customer">{invoice.customerName}</Line>
      <Line name="Vehicle">{invoice.vehicle}</Line>
      <Line name={payment.kind === 'refund' ? 'Given by' : 'Taken by'}>
        {payment.recorded_by_name !== null && (
          <StaffName username={payment.recorded_by_name} at={payment.recorded_at} />
        )}
      </Line>
    </dl>
  )
}

/** The receipt of a refund. Staff refund only paid invoices, so no balance is due afterwards. */
function PrintableRefund({ size, receipt }: Omit<Props, 'givenCents'>) {
  const { payment, creditNote, invoice } = receipt
  const { phone } = useShop()
  const money = (cents: number) => formatCents(cents, invoice.currency)
  const tax = creditNote?.tax_cents ?? 0
  return (
    <article className={`printable-receipt receipt-${size}`}>
      <ShopHead />
      <h3>Receipt for a refund</h3>
      <Facts receipt={receipt} />
      <hr />
      <dl>
        <Line name="Invoice total">{money(invoice.totalCents)}</Line>
        <Line name={`Refund: ${methodLine(payment)}`} isStrong>
          {money(-payment.amount_cents)}
        </Line>
        <Line name="Sales tax in it">{tax > 0 && money(tax)}</Line>
        <Line name="Reason">{creditNote?.reason}</Line>
      </dl>
      <p className="receipt-balance">
        <span>Balance</span> <span>{money(0)}</span>
      </p>
      {payment.method === 'card_online' && <p>A refund to a card arrives within about ten days.</p>}
      <p className="receipt-foot">Questions: {phone.display}.</p>
    </article>
  )
}

type PaymentProps = Pick<Props, 'receipt' | 'givenCents'> & { sums: ReceiptSums }

function Payment({ receipt: { payment }, sums, givenCents }: PaymentProps) {
  const isPaid = sums.balanceCents === 0
  const money = (cents: number) => formatCents(cents, payment.currency)
  return (
    <dl>
      <Line name={`${methodLine(payment)}${isPaid ? '' : ', this payment'}`} isStrong={!isPaid}>
        {money(payment.amount_cents)}
      </Line>
      <Line name="Cash rounding">{sums.roundingCents !== 0 && money(sums.roundingCents)}</Line>
      <Line name="Cash given">{givenCents !== undefined && money(givenCents)}</Line>
      <Line name="Change">
        {givenCents !== undefined && money(givenCents - payment.amount_cents)}
      </Line>
    </dl>
  )
}

function Foot({ receipt: { invoice }, isPaid }: { receipt: ReceiptData; isPaid: boolean }) {
  const { phone } = useShop()
  if (isPaid) return <p className="receipt-foot">Thank you. Questions: {phone.display}.</p>
  return (
    <>
      {invoice.dueDate !== null && <p>Due {formatDayOfYear(invoice.dueDate)}.</p>}
      <PayBalance invoiceId={invoice.id} />
      <p className="receipt-foot">This receipt is not the invoice. Questions: {phone.display}.</p>
    </>
  )
}

/**
 * Shows the customer where to pay the balance: the QR code and the URL of this invoice. Until the URL is loaded, shows
 * the URL of the page that finds an invoice by its number.
 */
function PayBalance({ invoiceId }: { invoiceId: string }) {
  const { data: link } = useInvoiceLink(invoiceId)
  if (!link) {
    return (
      <p>
        <b>Pay the balance</b> {location.host}
        {paths.payInvoice}
      </p>
    )
  }
  return (
    <div className="receipt-pay">
      <CodePicture url={link.url} name="QR code of the invoice" size={104} />
      <p>
        <b>Pay the balance</b> {link.typedUrl.replace(/^https?:\/\//, '')}
      </p>
    </div>
  )
}
