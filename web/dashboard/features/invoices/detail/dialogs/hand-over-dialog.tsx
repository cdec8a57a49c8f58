import { useState } from 'react'
import { fillPath } from '#contracts/api/endpoint.ts'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { printInvoiceEndpoint } from '#contracts/invoices/linked-invoice.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useInvoiceLink } from '#web/dashboard/kit/payments/use-invoice-link.ts'
import { useTakePayment } from '#web/dashboard/kit/payments/use-take-payment.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmailInvoice } from './email-invoice.tsx'
import { FullScreenCode, InvoiceCode, type InvoiceUrls } from './invoice-code.tsx'
import './hand-over.css'

type Props = { invoice: ListedInvoice; onClose: () => void }

/**
 * The dialog in which staff give an invoice to the customer: as a QR code, a short URL to type, a printout or an email
 * (docs/product.md 17.11).
 */
export function HandOverDialog({ invoice, onClose }: Props) {
  const link = useInvoiceLink(invoice.id)
  const sum = formatCents(invoice.balanceCents, invoice.currency)
  return (
    <SidePanel
      open
      title={
        <>
          Hand over the invoice{' '}
          <small>{[invoice.customerName, invoice.number].filter(Boolean).join(', ')}</small>
        </>
      }
      onClose={onClose}
      footer={<HandOverFoot invoice={invoice} onClose={onClose} />}
    >
      {invoice.customerEmail === null && (
        <Notice title="The customer has no email address, so nothing is sent.">
          The invoice exists. Print it, or let the customer scan the code.
        </Notice>
      )}
      {link.isError && (
        <Notice tone="bad" title="The link could not be read.">
          Close this panel and try again. The printed invoice also contains this link.
        </Notice>
      )}
      {link.isPending && <Skeleton className="hand-over-pending" />}
      {link.data && <HandOverLink link={link.data} sum={sum} />}
      <EmailInvoice invoice={invoice} />
    </SidePanel>
  )
}

function HandOverLink({ link, sum }: { link: InvoiceUrls; sum: string }) {
  const [isFullScreen, setIsFullScreen] = useState(false)
  const [copied, setCopied] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(link.url).then(
      () => setCopied('Copied.'),
      () => setCopied('The browser did not allow copying. Select and copy the address above.'),
    )
  return (
    <>
      <InvoiceCode link={link} sum={sum} />
      <div className="hand-over-actions">
        <Button compact onClick={() => void copy()}>
          <Icon name="copy" />
          Copy link
        </Button>
        <Button compact onClick={() => setIsFullScreen(true)}>
          <Icon name="qr" />
          Show full screen
        </Button>
        <p role="status">{copied}</p>
      </div>
      {isFullScreen && (
        <FullScreenCode link={link} sum={sum} onClose={() => setIsFullScreen(false)} />
      )}
    </>
  )
}

function HandOverFoot({ invoice, onClose }: Props) {
  const openPayment = useTakePayment()
  return (
    <div className="hand-over-foot">
      <a
        className={buttonClass('primary', { compact: true, large: true, wide: true })}
        href={fillPath(printInvoiceEndpoint, { id: invoice.id }).path}
        target="_blank"
        rel="noreferrer"
        data-first-focus
      >
        <Icon name="print" />
        Print invoice
      </a>
      <Button
        compact
        wide
        level="quiet"
        aria-keyshortcuts="p"
        onClick={() => {
          onClose()
          openPayment(invoice)
        }}
      >
        Take payment now <kbd>P</kbd>
      </Button>
    </div>
  )
}
