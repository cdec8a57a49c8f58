import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useTakePayment } from '#web/dashboard/kit/payments/use-take-payment.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { OpenDialog } from './invoice-dialog.tsx'

type Props = { invoice: InvoiceDetail; onOpen: (dialog: OpenDialog) => void }

/**
 * The buttons of the actions that the server currently allows for the invoice. The P key opens the panel 'Take
 * payment', the R key the panel 'Refund'.
 */
export function InvoiceActions({ invoice, onOpen }: Props) {
  const { can } = invoice
  const openPayment = useTakePayment()
  const takePayment = () => openPayment(invoice)
  const refund = () => onOpen({ name: 'refund' })
  useShortcut('p', () => can.takePayment && takePayment())
  useShortcut('r', () => can.refund && refund())
  if (!Object.values(can).some(Boolean)) return null
  return (
    <div className="invoice-actions">
      {can.takePayment && (
        <Button compact large level="primary" aria-keyshortcuts="p" onClick={takePayment}>
          Take payment <kbd>P</kbd>
        </Button>
      )}
      {can.takePayment && (
        <Button compact onClick={() => onOpen({ name: 'hand-over' })}>
          Hand over…
        </Button>
      )}
      {can.refund && (
        <Button compact aria-keyshortcuts="r" onClick={refund}>
          <Icon name="undo" />
          Refund… <kbd>R</kbd>
        </Button>
      )}
      {can.correctPrice && (
        <Button compact onClick={() => onOpen({ name: 'correct-price' })}>
          Correct the price…
        </Button>
      )}
      {can.writeOff && (
        <Button compact onClick={() => onOpen({ name: 'write-off' })}>
          Write off balance…
        </Button>
      )}
      {can.cancel && (
        <Button
          compact
          level="danger"
          className="invoice-end"
          onClick={() => onOpen({ name: 'cancel' })}
        >
          Cancel this invoice…
        </Button>
      )}
      {can.void && (
        <Button
          compact
          level="danger"
          className="invoice-end"
          onClick={() => onOpen({ name: 'void' })}
        >
          Void invoice…
        </Button>
      )}
    </div>
  )
}
