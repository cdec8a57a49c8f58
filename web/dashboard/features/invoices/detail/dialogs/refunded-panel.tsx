import { Link } from '@tanstack/react-router'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { receiptLink } from '#web/dashboard/kit/navigation/links.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { PrintedRefund } from './use-refund.ts'

type Props = { invoice: InvoiceDetail; refund: PrintedRefund; onClose: () => void }

/**
 * The panel that replaces the refund form when staff print the receipt of the refund. The panel stays open until staff
 * close it.
 */
export function RefundedPanel({ invoice, refund, onClose }: Props) {
  return (
    <SidePanel
      open
      onClose={onClose}
      title={
        <>
          Refunded{' '}
          <small>{[invoice.customerName, invoice.number].filter(Boolean).join(', ')}</small>
        </>
      }
      footer={
        <div className="refund-foot">
          <Button compact large wide level="strong" onClick={onClose}>
            Done
          </Button>
        </div>
      }
    >
      <div role="status">
        <Notice tone="good" title={`${formatCents(refund.cents, invoice.currency)} goes back.`}>
          The invoice shows the refund. Print the receipt for the customer.
        </Notice>
      </div>
      <Link
        className={buttonClass('secondary', { compact: true })}
        target="_blank"
        data-first-focus
        {...receiptLink(refund.id, null)}
      >
        <Icon name="print" />
        Print receipt
      </Link>
    </SidePanel>
  )
}
