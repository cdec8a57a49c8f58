import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { PanelTitle } from './panel-parts.tsx'
import { laterPaymentText } from './payment-text.ts'
import { PaymentsSoFar } from './payments-so-far.tsx'
import { useNow } from './use-now.ts'

type Props = {
  invoice: ListedInvoice
  lines: readonly LedgerLine[] | undefined
  /** The payment that another window or the customer made while the panel was open. */
  later: LedgerLine | undefined
  onClose: () => void
}

/**
 * Replaces the payment form when the invoice is paid or void, even if someone paid or voided the invoice while the
 * panel was open.
 */
export function NothingToPay({ invoice, lines, later, onClose }: Props) {
  const now = useNow()
  const nameOf = useNameOf()
  return (
    <SidePanel
      open
      onClose={onClose}
      title={<PanelTitle text="Take payment" invoice={invoice} />}
      footer={
        <div className="pay-foot">
          <Button compact large level="strong" data-first-focus onClick={onClose}>
            Close
          </Button>
        </div>
      }
    >
      <Notice
        title={later && laterPaymentText(later, { customer: invoice.customerName, nameOf, now })}
      >
        {textOf(invoice.state)}
      </Notice>
      <PaymentsSoFar lines={lines ?? []} />
    </SidePanel>
  )
}

function textOf(state: ListedInvoice['state']): string {
  if (state === 'void' || state === 'cancelled' || state === 'replaced')
    return `This invoice is ${state}. No payment is due.`
  return 'This invoice is paid. No payment is due.'
}
