import { useRef, useState } from 'react'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import {
  checkSum,
  missingReason,
  problemsOf,
  textProblem,
} from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'

/** The dialog that lowers the balance of an open invoice with a credit note. The customer gets no money back. */
export function CorrectPriceDialog({ invoice, onClose }: DialogProps) {
  const { id, balanceCents, currency } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ amount: '', reason: '' })
  const form = useForm({ element, values, onChange, limits: { amount: 16, reason: 200 } })
  const command = useConfirmedCommand(invoiceCommands.correctPrice, 'invoices', (result) => {
    toast({
      title: 'Price corrected',
      description: `The balance is ${formatCents(result.balanceCents, currency)}. No money moved.`,
    })
    onClose()
  })
  const sum = checkSum(
    values.amount,
    balanceCents,
    (most) => `The balance is ${most}. The price cannot be lowered by more.`,
  )
  const reason = values.reason.trim()
  const submit = () => {
    const reasonProblem = textProblem(reason, missingReason)
    if (sum.ok && !reasonProblem) {
      return command.run({ invoiceId: id, amountCents: sum.value, reason })
    }
    form.complain(problemsOf({ amount: sum.ok ? undefined : sum.refusal, reason: reasonProblem }))
  }
  return (
    <CommandDialog
      title="Correct the price"
      command={command}
      name={{ subject: 'The correction', notDone: 'The price was not corrected.' }}
      labels={{
        keep: 'Keep the price',
        submit: sum.ok ? `Lower by ${formatCents(sum.value, currency)}` : 'Lower the price',
        busy: 'Correcting…',
      }}
      level="strong"
      action="correct the price"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        A credit note lowers the balance of <b>{formatCents(balanceCents, currency)}</b>. No money
        moves, and the sales tax is lowered in proportion.
      </p>
      <Input
        {...form.field('amount')}
        label="Lower the price by, in dollars"
        required
        inputMode="decimal"
        autoComplete="off"
        hint={sum.ok && `New balance: ${formatCents(balanceCents - sum.value, currency)}`}
      />
      <Input {...form.field('reason')} label="Reason, the customer reads it" required />
    </CommandDialog>
  )
}
