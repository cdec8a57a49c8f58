import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { PaymentPanel } from './payment-panel.tsx'
import './take-payment.css'

/** The panel 'Take payment' of an invoice (docs/product.md 17.9). */
export function TakePayment({ id, onClose }: { id: string; onClose: () => void }) {
  const invoice = useRecord('invoices', id, async (wanted) => {
    return (await readListedInvoice(wanted)) ?? undefined
  })
  if (invoice.data) return <PaymentPanel invoice={invoice.data} onClose={onClose} />
  return (
    <SidePanel open title="Take payment" onClose={onClose}>
      {invoice.isPending && <Skeleton className="pay-skeleton" />}
      {invoice.data === null && <p>This invoice no longer exists.</p>}
      {invoice.isError && (
        <LoadFailure
          title="The invoice could not be loaded."
          onRetry={() => void invoice.refetch()}
        />
      )}
    </SidePanel>
  )
}
