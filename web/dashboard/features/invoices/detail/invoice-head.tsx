import { Link } from '@tanstack/react-router'
import { fillPath } from '#contracts/api/endpoint.ts'
import { printInvoiceEndpoint } from '#contracts/invoices/linked-invoice.ts'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import type { AdminInvoice } from '#contracts/invoices/invoices.ts'
import { payerLabels } from '#domain/estimates/payer.ts'
import { customerLink, estimateLink, invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { InvoiceStateBadge, TestBadge } from '#web/dashboard/kit/payments/invoice-state-badge.tsx'
import { mailto } from '#web/lib/browser/mailto.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'
import { isPayingOnline } from './detail-text.ts'
import { useBilledJobs } from './use-invoice.ts'

type Props = {
  invoice: InvoiceDetail
  /** The time at which the page read the invoice. */
  readAt: Date
  /** The invoice as stored at Stripe, with the URLs of the PDF and the payment page. */
  atStripe: AdminInvoice | undefined
}

/** The header of an invoice page: number, state, customer and vehicle. */
export function InvoiceHead({ invoice, readAt, atStripe }: Props) {
  return (
    <header className="record-head invoice-head">
      <div>
        <Link className="record-back invoice-back" {...invoicesLink}>
          <Icon name="chevron-left" />
          Invoices
        </Link>
        <h2 tabIndex={-1}>
          {invoice.number ?? 'Without a number'}{' '}
          {invoice.state === 'part_refunded' && <Badge tone="ok">paid</Badge>}
          <InvoiceStateBadge state={invoice.state} /> {invoice.isTest && <TestBadge />}
          {isPayingOnline(invoice, readAt) && <Badge tone="warn">paying online</Badge>}
        </h2>
        <InvoiceFor invoice={invoice} />
        <Payer invoice={invoice} />
      </div>
      <p className="invoice-links">
        <PrintInvoice id={invoice.id} />
        {invoice.balanceCents > 0 && (
          <Document icon="card" text="Payment page" url={atStripe?.hosted_invoice_url} />
        )}
      </p>
    </header>
  )
}

function InvoiceFor({ invoice }: { invoice: InvoiceDetail }) {
  const { customerName, customerId, customerEmail, vehicle, estimateId, estimateNumber } = invoice
  const name = customerName || 'No name'
  return (
    <p className="record-about invoice-for">
      {customerId === null ? <b>{name}</b> : <Link {...customerLink(customerId)}>{name}</Link>}
      {customerEmail !== null && <a href={mailto(customerEmail)}>{customerEmail}</a>}
      {vehicle !== null && <b>{vehicle}</b>}
      {estimateId !== null && (
        <span>
          from <Link {...estimateLink(estimateId)}>Estimate {estimateNumber}</Link>
        </span>
      )}
    </p>
  )
}

/** The third party who pays instead of the customer, according to the estimate of the invoice. */
function Payer({ invoice }: { invoice: InvoiceDetail }) {
  const payer = useBilledJobs(invoice)?.payer
  if (!payer?.name) return null
  return (
    <p className="record-about invoice-for">
      <span>
        {payerLabels.name} <b>{payer.name}</b>
      </span>
      <span>
        {payerLabels.reference} <b>{payer.reference}</b>
      </span>
    </p>
  )
}

/** Opens the printable invoice on letter paper. While a balance is due, the printout has the QR code of the invoice. */
function PrintInvoice({ id }: { id: string }) {
  return <Document icon="print" text="Print" url={fillPath(printInvoiceEndpoint, { id }).path} />
}

function Document(props: { icon: IconName; text: string; url: string | null | undefined }) {
  const { icon, text, url } = props
  if (!url) return null
  return (
    <a
      className={buttonClass('secondary', { compact: true })}
      href={url}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name={icon} />
      {text}
    </a>
  )
}
