import { type RefObject, useState } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { useEmailResult } from './notify-choice.tsx'
import {
  checkRefund,
  refundable,
  refundCents,
  type RefundForm,
  refundSource,
} from './refund-form.ts'

/** A recorded refund whose receipt staff want to print. */
export type PrintedRefund = { readonly id: string; readonly cents: number }

const limits = { amount: 16, reference: 60, reason: 200 }

/**
 * The state of the panel 'Refund': its form, and the command that saves the refund. `element` is the form element, in
 * which the first invalid field gets the focus.
 */
export function useRefund(
  invoice: InvoiceDetail,
  paymentId: string | undefined,
  element: RefObject<HTMLFormElement | null>,
  onDone: () => void,
) {
  const payments = refundable(invoice.ledger)
  const [values, onChange] = useState<RefundForm>(() => ({
    paymentId: paymentId ?? payments[0]?.id ?? '',
    scope: 'all',
    parts: [],
    amount: '',
    method: '',
    reference: '',
    reason: '',
    receipt: invoice.customerEmail === null ? 'print' : 'email',
  }))
  const form = useForm({ element, values, onChange, limits })
  const emailResult = useEmailResult()
  const [printed, setPrinted] = useState<PrintedRefund>()
  const command = useConfirmedCommand(invoiceCommands.refund, 'invoices', (result, order) => {
    if (values.receipt === 'print') {
      setPrinted({ id: result.refundId, cents: result.refundCents })
      return
    }
    toast({
      title: `Refunded ${formatCents(result.refundCents, invoice.currency)}`,
      description: emailResult(order.notifies),
    })
    onDone()
  })
  const isTyped = [values.amount, values.reference, values.reason, ...values.parts].some((text) =>
    text.trim(),
  )
  useUnsavedChanges(isTyped && !printed ? ['Refund'] : [])
  const payment = payments.find(({ id }) => id === values.paymentId) ?? payments[0]
  const source = payment && refundSource(invoice, payment)
  const submit = () => {
    if (!source || command.isBusy) return
    const checked = checkRefund(values, source)
    if (checked.ok) command.run(checked.value)
    else form.complain(checked.refusal)
  }
  return {
    form,
    values,
    payments,
    /** The payment that staff chose to refund; undefined when every payment is fully refunded. */
    payment,
    /** The selected payment, and those jobs or lines of its invoice that are not fully refunded. */
    source,
    /** The sum to refund, in cents; undefined while the choice or the typed sum is invalid. */
    cents: source && refundCents(values, source),
    command,
    submit,
    /** The refund whose receipt staff want to print. */
    printed,
  }
}

export type Refund = ReturnType<typeof useRefund>
