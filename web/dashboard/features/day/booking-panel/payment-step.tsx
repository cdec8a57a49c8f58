import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { estimateLink } from '#web/dashboard/kit/navigation/links.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { readPayableInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { useTakePayment } from '#web/dashboard/kit/payments/use-take-payment.ts'
import { useRepairRecords } from '#web/dashboard/kit/records/repair-details.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'

/**
 * The payment step before staff return the vehicle to the customer: 'bill' creates the invoice of an approved estimate,
 * 'pay' takes the payment of the invoice.
 */
type PaymentStep =
  | { readonly kind: 'pay'; readonly invoice: ListedInvoice }
  | { readonly kind: 'bill'; readonly estimateId: string }

/** Returns the next payment step of a booking (docs/product.md 17.9); undefined if the booking needs none. */
export function usePaymentStep(bookingId: string): PaymentStep | undefined {
  const invoice = useQuery({
    queryKey: ['invoices', 'of-booking', bookingId],
    queryFn: () => readPayableInvoice(bookingId),
  })
  const records = useRepairRecords({ kind: 'booking', id: bookingId })
  if (invoice.data) return { kind: 'pay', invoice: invoice.data }
  const approved = records.data?.find(
    ({ kind, state }) => kind === 'estimate' && state === 'approved',
  )
  return approved && { kind: 'bill', estimateId: approved.id }
}

/** The button for the next payment step: 'Take payment, $231.75', or 'Create invoice', which opens the estimate. */
export function PaymentStepButton({ step }: { step: PaymentStep }) {
  if (step.kind === 'pay') return <TakePaymentButton invoice={step.invoice} />
  return (
    <Link
      className={buttonClass('strong', { compact: true, className: 'panel-next' })}
      {...estimateLink(step.estimateId)}
    >
      Create invoice
    </Link>
  )
}

function TakePaymentButton({ invoice }: { invoice: ListedInvoice }) {
  const takePayment = useTakePayment()
  const take = () => takePayment(invoice)
  useShortcut('p', take)
  return (
    <Button compact level="strong" className="panel-next" aria-keyshortcuts="p" onClick={take}>
      Take payment, {formatCents(invoice.balanceCents, invoice.currency)}
      <kbd aria-hidden="true">P</kbd>
    </Button>
  )
}
