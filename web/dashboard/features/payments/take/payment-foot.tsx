import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { parseAmount } from '#domain/payments/payment-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { LinkFoot } from './link-way.tsx'
import { sumText } from './payment-text.ts'
import type { PaymentPanelState } from './use-payment-panel.ts'
import type { LinkSending } from './use-send-link.ts'

type Props = {
  formId: string
  invoice: ListedInvoice
  panel: PaymentPanelState
  sending: LinkSending
  /** Closes the panel without a payment, because the customer is paying online. */
  onWait: () => void
}

/** The button that takes the payment. Its label names the sum and the payment method. */
export function PaymentFoot({ formId, invoice, panel, sending, onWait }: Props) {
  const { input, isBusy } = panel
  if (input.way === 'link') {
    return (
      <div className="pay-foot">
        <LinkFoot invoice={invoice} sending={sending} formId={formId} />
      </div>
    )
  }
  const isPageOpen = invoice.paymentPageOpenedAt !== null
  return (
    <div className="pay-foot">
      <Button
        compact
        large
        level="primary"
        type="submit"
        form={formId}
        busy={isBusy && 'Taking…'}
        aria-disabled={!canTake(panel) || undefined}
      >
        {isPageOpen && 'Close online page, '}
        {takeText(panel, isPageOpen)}
      </Button>
      {isPageOpen && (
        <Button compact level="quiet" disabled={isBusy} onClick={onWait}>
          Wait for the online payment
        </Button>
      )}
      <p aria-hidden="true">
        <span>
          <kbd>Enter</kbd> takes it
        </span>
        <span>
          <kbd>Esc</kbd> closes
        </span>
      </p>
    </div>
  )
}

function takeText({ input, dueCents }: PaymentPanelState, isWithin: boolean): string {
  const take = isWithin ? 'take' : 'Take'
  if (dueCents === 0) return `${take} payment`
  return `${take} ${sumText(input.values.method, dueCents)}`
}

/**
 * Whether the server can take the payment: the browser is online and the input is valid. Otherwise the button looks
 * disabled but stays focusable, because a press shows the error.
 */
function canTake({ input, isOffline, dueCents }: PaymentPanelState): boolean {
  if (isOffline || input.refusal) return false
  const { method, given } = input.values
  const givenCents = parseAmount(given)
  return method !== 'cash' || givenCents === undefined || givenCents >= dueCents
}
