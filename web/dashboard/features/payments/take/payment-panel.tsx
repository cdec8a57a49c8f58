import { useId, useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { isPayable } from '#domain/invoices/invoice-age.ts'
import { laterPayment } from '#domain/payments/later-payment.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { ConfirmDialog, SidePanel } from '#web/ui/dialog/dialog.tsx'
import { NothingToPay } from './nothing-to-pay.tsx'
import { PanelTitle } from './panel-parts.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { PaymentFoot } from './payment-foot.tsx'
import { usePaymentPanel } from './use-payment-panel.ts'
import { useSendLink } from './use-send-link.ts'
import { useQuery } from '@tanstack/react-query'
import { listLedgerLines } from '#web/dashboard/kit/payments/ledger-lines-api.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { PaidOnline } from './paid-online.tsx'
import { TakenPaymentPanel } from './taken-payment.tsx'
import type { Outcome } from './use-taking.ts'

type Props = { invoice: ListedInvoice; onClose: () => void }

/** The panel 'Take payment': the form, and then the result, which stays until staff close the panel. */
export function PaymentPanel({ invoice, onClose }: Props) {
  const lines = useLedgerLines(invoice.id)
  // The paid amount of the invoice when the panel opened, in cents. A later increase comes from other windows or from
  // the customer.
  const [seenPaidCents] = useState(invoice.paidCents)
  const later = laterPayment(lines.data ?? [], seenPaidCents)
  const formId = useId()
  const panel = usePaymentPanel(invoice, formId)
  const sending = useSendLink(invoice)
  const { outcome, isBusy, input } = panel
  const [isAsking, setIsAsking] = useState(false)
  const isTyped = outcome === undefined && input.isTyped
  useUnsavedChanges(isTyped ? ['Payment'] : [])
  if (outcome) {
    return <EndedPayment invoice={invoice} lines={lines.data} outcome={outcome} onClose={onClose} />
  }
  if (!isPayable(invoice)) {
    return <NothingToPay invoice={invoice} lines={lines.data} later={later} onClose={onClose} />
  }
  return (
    <>
      <SidePanel
        open
        busy={isBusy}
        title={<PanelTitle text="Take payment" invoice={invoice} />}
        onClose={() => (isTyped ? setIsAsking(true) : onClose())}
        footer={
          <PaymentFoot
            formId={formId}
            invoice={invoice}
            panel={panel}
            sending={sending}
            onWait={onClose}
          />
        }
      >
        <PaymentFields
          formId={formId}
          invoice={invoice}
          lines={lines.data ?? []}
          later={later}
          panel={panel}
          sending={sending}
        />
      </SidePanel>
      <ConfirmDialog
        open={isAsking}
        title="Discard this payment?"
        cancelLabel="Keep"
        confirmLabel="Discard"
        onClose={() => setIsAsking(false)}
        onConfirm={onClose}
      >
        <p>The payment is not recorded yet.</p>
      </ConfirmDialog>
    </>
  )
}

/** Reads the current ledger lines of an invoice. */
function useLedgerLines(invoiceId: string) {
  return useQuery({
    queryKey: ['invoices', 'ledger-lines', invoiceId],
    queryFn: () => listLedgerLines(invoiceId),
  })
}

type EndedProps = {
  invoice: ListedInvoice
  lines: readonly LedgerLine[] | undefined
  outcome: Outcome
  onClose: () => void
}

/**
 * The result of the payment. The result stays until staff close the panel, because a toast would disappear before staff
 * have counted the change.
 */
function EndedPayment({ outcome, ...rest }: EndedProps) {
  return outcome.kind === 'taken' ? (
    <TakenPaymentPanel taken={outcome} {...rest} />
  ) : (
    <PaidOnline order={outcome.order} {...rest} />
  )
}
