import { useRef, useState } from 'react'
import { type CounterMethod, counterMethod } from '#contracts/payments/counter-commands.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { ledgerTitle, type LedgerLine } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { missingReferences, referenceLabels } from './refund-form.ts'

type Way = { readonly method: CounterMethod | ''; readonly reference: string }

/** The dialog that repeats a failed refund, with the original payment method or another one. */
export function RetryRefundDialog({ paymentId, ...props }: DialogProps & { paymentId: string }) {
  const refund = props.invoice.ledger.find(({ id }) => id === paymentId)
  return refund ? <RetriedRefund {...props} refund={refund} /> : null
}

function RetriedRefund({ invoice, refund, onClose }: DialogProps & { refund: LedgerLine }) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState<Way>({ method: '', reference: '' })
  const form = useForm({ element, values, onChange, limits: { reference: 60 } })
  const sum = formatCents(refund.retryCents, invoice.currency)
  const command = useConfirmedCommand(invoiceCommands.retryRefund, 'invoices', () => {
    toast({ title: `Refunded ${sum} again` })
    onClose()
  })
  const { method } = values
  const reference = values.reference.trim()
  const submit = () => {
    const problem = method === '' ? undefined : textProblem(reference, missingReferences[method])
    if (problem) return form.complain({ reference: problem })
    const way = method === '' ? { method: null, reference: null } : { method, reference }
    command.run({ refundId: refund.id, ...way })
  }
  const payment = invoice.ledger.find(({ id }) => id === refund.originalId)
  return (
    <CommandDialog
      title="Refund again"
      command={command}
      name={{ subject: 'The refund', notDone: 'Nothing was refunded.' }}
      labels={{ keep: 'Back', submit: `Refund ${sum}`, busy: 'Refunding…' }}
      level="strong"
      action={
        <>
          refund <b>{sum}</b> again
        </>
      }
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {ledgerTitle(refund)}: {sum} did not arrive. The credit note of the refund stays; no second
        one is created.
      </p>
      <Select {...form.choice('method')} label="Refund by">
        <option value="">{payment && methodNames[payment.method]}, the original method</option>
        {counterMethod.options
          .filter((way) => way !== payment?.method)
          .map((way) => (
            <option key={way} value={way}>
              {methodNames[way]}
            </option>
          ))}
      </Select>
      {method !== '' && (
        <Input
          {...form.field('reference')}
          label={referenceLabels[method]}
          required
          autoComplete="off"
        />
      )}
    </CommandDialog>
  )
}
