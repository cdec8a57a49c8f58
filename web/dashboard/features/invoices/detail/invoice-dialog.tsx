import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

export type DialogProps = {
  invoice: InvoiceDetail
  /** The time at which the page read the invoice from the server. */
  readAt: Date
  onClose: () => void
}

/** The dialog that is open on the invoice page. `id` is the id of the payment or refund that the dialog is about. */
export type OpenDialog =
  | { readonly name: 'refund'; readonly id?: string }
  | {
      readonly name: 'correct-payment' | 'return-check' | 'retry-refund'
      readonly id: string
    }
  | { readonly name: 'correct-price' | 'write-off' | 'cancel' | 'void' | 'hand-over' }

const RefundPanel = lazyComponent(
  async () => (await import('./dialogs/refund-panel.tsx')).RefundPanel,
  null,
)
const VoidDialog = lazyComponent(
  async () => (await import('./dialogs/void-dialog.tsx')).VoidDialog,
  null,
)
const CancelDialog = lazyComponent(
  async () => (await import('./dialogs/cancel-dialog.tsx')).CancelDialog,
  null,
)
const CorrectPriceDialog = lazyComponent(
  async () => (await import('./dialogs/correct-price-dialog.tsx')).CorrectPriceDialog,
  null,
)
const CorrectPaymentDialog = lazyComponent(
  async () => (await import('./dialogs/correct-payment-dialog.tsx')).CorrectPaymentDialog,
  null,
)
const ReturnCheckDialog = lazyComponent(
  async () => (await import('./dialogs/return-check-dialog.tsx')).ReturnCheckDialog,
  null,
)
const RetryRefundDialog = lazyComponent(
  async () => (await import('./dialogs/retry-refund-dialog.tsx')).RetryRefundDialog,
  null,
)
const WriteOffDialog = lazyComponent(
  async () => (await import('./dialogs/write-off-dialog.tsx')).WriteOffDialog,
  null,
)
const HandOverDialog = lazyComponent(
  async () => (await import('./dialogs/hand-over-dialog.tsx')).HandOverDialog,
  null,
)

type Props = DialogProps & { dialog: OpenDialog; onOpen: (dialog: OpenDialog) => void }

/**
 * The dialog that staff opened on an invoice page. The browser loads the code of a dialog when staff first open the
 * dialog.
 */
export function InvoiceDialog({ dialog, onOpen, ...props }: Props) {
  switch (dialog.name) {
    case 'refund':
      return <RefundPanel {...props} paymentId={dialog.id} />
    case 'correct-payment':
      return <CorrectPaymentDialog {...props} paymentId={dialog.id} />
    case 'return-check':
      return <ReturnCheckDialog {...props} paymentId={dialog.id} />
    case 'retry-refund':
      return <RetryRefundDialog {...props} paymentId={dialog.id} />
    case 'correct-price':
      return <CorrectPriceDialog {...props} />
    case 'write-off':
      return <WriteOffDialog {...props} />
    case 'hand-over':
      return <HandOverDialog invoice={props.invoice} onClose={props.onClose} />
    case 'cancel':
      return <CancelDialog {...props} />
    case 'void':
      return <VoidDialog {...props} onCancelInstead={() => onOpen({ name: 'cancel' })} />
  }
}
