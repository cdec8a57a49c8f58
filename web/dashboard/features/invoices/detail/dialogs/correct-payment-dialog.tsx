import { useRef, useState } from 'react'
import { counterMethod } from '#contracts/payments/counter-commands.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type LedgerLine, ledgerTitle } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { checkCorrection, correctionReference, startCorrection } from './payment-correction.ts'

/** Replaces a payment that was recorded with the wrong way or sum. */
export function CorrectPaymentDialog({ paymentId, ...props }: DialogProps & { paymentId: string }) {
  const payment = props.invoice.ledger.find(({ id }) => id === paymentId)
  return payment ? <Correction {...props} payment={payment} /> : null
}

function Correction({ invoice, payment, onClose }: DialogProps & { payment: LedgerLine }) {
  const { balanceCents, currency } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState(() => startCorrection(payment))
  const limits = { amount: 16, reference: 60, reason: 200 }
  const form = useForm({ element, values, onChange, limits })
  const command = useConfirmedCommand(invoiceCommands.correctPayment, 'invoices', (result) => {
    const balance = formatCents(result.balanceCents, currency)
    toast({ title: 'Payment corrected', description: `The balance is ${balance}.` })
    onClose()
  })
  const submit = () => {
    const checked = checkCorrection(values, payment, balanceCents + payment.amountCents)
    if (checked.ok) command.run(checked.value)
    else form.complain(checked.refusal)
  }
  const reference = correctionReference[values.method]
  return (
    <CommandDialog
      title="Recorded wrongly"
      command={command}
      name={{ subject: 'The correction', notDone: 'The payment was not corrected.' }}
      labels={{ keep: 'Keep payment', submit: 'Correct the payment', busy: 'Correcting…' }}
      level="strong"
      action="correct this payment"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <b>
          {ledgerTitle(payment)}, {formatCents(payment.amountCents, currency)}
        </b>
        , {formatShortStamp(payment.paidAt)}. The line stays visible with its reversal, and a new
        line replaces it.
      </p>
      <Select {...form.choice('method')} label="It was paid by" required>
        {counterMethod.options.map((method) => (
          <option key={method} value={method}>
            {methodNames[method]}
          </option>
        ))}
      </Select>
      <Input
        {...form.field('amount')}
        label="Sum, in dollars"
        required
        inputMode="decimal"
        autoComplete="off"
      />
      {reference && (
        <Input
          {...form.field('reference')}
          label={reference.label}
          required={reference.missing !== ''}
          autoComplete="off"
        />
      )}
      <Input {...form.field('reason')} label="Reason" required />
    </CommandDialog>
  )
}
