import { type RefObject, useState } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { useEmailResult } from './notify-choice.tsx'
import { checkRefund, refundable, refundCents, type RefundForm } from './refund-form.ts'

const limits = { amount: 16, reference: 60, reason: 200 }

/** The form of 'Refund' and its command. `element` is the form, in which errors focus their field. */
export function useRefund(
  invoice: InvoiceDetail,
  paymentId: string | undefined,
  element: RefObject<HTMLFormElement | null>,
  onDone: () => void,
) {
  const payments = refundable(invoice.ledger)
  const [values, onChange] = useState<RefundForm>(() => ({
    paymentId: paymentId ?? payments[0]?.id ?? '',
    isAll: true,
    amount: '',
    method: '',
    reference: '',
    reason: '',
    notifies: invoice.customerEmail !== null,
  }))
  const form = useForm({ element, values, onChange, limits })
  const emailResult = useEmailResult()
  const command = useConfirmedCommand(invoiceCommands.refund, 'invoices', (result, order) => {
    toast({
      title: `Refunded ${formatCents(result.refundCents, invoice.currency)}`,
      description: emailResult(order.notifies),
    })
    onDone()
  })
  const isTyped = [values.amount, values.reference, values.reason].some((text) => text.trim())
  useUnsavedChanges(isTyped ? ['Refund'] : [])
  const payment = payments.find(({ id }) => id === values.paymentId) ?? payments[0]
  const submit = () => {
    if (!payment || command.isBusy) return
    const checked = checkRefund(values, payment)
    if (checked.ok) command.run(checked.value)
    else form.complain(checked.refusal)
  }
  return {
    form,
    values,
    payments,
    /** The chosen payment; undefined when no payment has anything left to return. */
    payment,
    /** The sum that goes back; undefined while the typed one is not valid. */
    cents: payment && refundCents(values, payment),
    command,
    submit,
  }
}

export type Refund = ReturnType<typeof useRefund>
