import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { CodePicture } from '#web/dashboard/kit/payments/code-picture.tsx'
import { useInvoiceLink } from '#web/dashboard/kit/payments/use-invoice-link.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'

/**
 * The QR code that opens this invoice on the customer's phone. If the QR code fails to load, staff can still send the
 * link.
 */
export function ScanLink({ invoice }: { invoice: ListedInvoice }) {
  const link = useInvoiceLink(invoice.id)
  return (
    <div className="pay-scan">
      {link.data && <CodePicture url={link.data.url} name="QR code of the invoice" size={120} />}
      {link.isPending && <Skeleton className="pay-scan-pending" />}
      <div>
        <h3>Or scan it now</h3>
        <p>
          {link.isError ? (
            'The QR code could not be loaded. Send or copy the link.'
          ) : (
            <>
              The customer pays <b>{formatCents(invoice.balanceCents, invoice.currency)}</b> on
              their own phone. This page shows it within a second.
            </>
          )}
        </p>
      </div>
    </div>
  )
}
