import { useRef, useState } from 'react'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'

/** Writes off the balance of an invoice that the customer will not pay. */
export function WriteOffDialog({ invoice, onClose }: DialogProps) {
  const { id, number, customerName, balanceCents, currency } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ reason: '' })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const command = useConfirmedCommand(invoiceCommands.writeOff, 'invoices', () => {
    toast({ title: 'Written off', description: 'The invoice can still be paid.' })
    onClose()
  })
  const reason = values.reason.trim()
  const balance = formatCents(balanceCents, currency)
  const submit = () => {
    const problem = textProblem(reason, 'Enter the reason.')
    if (problem) form.complain({ reason: problem })
    else command.run({ invoiceId: id, reason })
  }
  return (
    <CommandDialog
      title="Write off the balance?"
      command={command}
      name={{ subject: 'The write-off', notDone: 'The balance was not written off.' }}
      labels={{ keep: 'Keep invoice', submit: `Write off ${balance}`, busy: 'Writing off…' }}
      action="write off the balance"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {[number, customerName].filter(Boolean).join(', ')}, <b>{balance}</b> open.
      </p>
      <ul className="command-consequences">
        <li>The balance no longer counts as outstanding.</li>
        <li>The invoice is listed under written off.</li>
        <li>The customer can still pay it.</li>
      </ul>
      <Input {...form.field('reason')} label="Reason" required />
    </CommandDialog>
  )
}
