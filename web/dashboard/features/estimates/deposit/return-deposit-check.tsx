import { useRef, useState } from 'react'
import { type Deposit, depositCommands } from '#contracts/payments/deposits.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'

type Props = { line: Deposit['lines'][number]; onClose: () => void }

/** Records that the bank did not pay the check of a held deposit. */
export function ReturnDepositCheck({ line, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ reason: '' })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const command = useConfirmedCommand(depositCommands.returnCheck, 'estimates', () => {
    toast({ title: 'Check returned', description: 'The shop no longer holds the deposit.' })
    onClose()
  })
  const reason = values.reason.trim()
  const submit = () => {
    const problem = textProblem(reason, 'Enter the reason.')
    if (problem) form.complain({ reason: problem })
    else command.run({ paymentId: line.id, reason })
  }
  const sum = formatCents(line.amountCents)
  return (
    <CommandDialog
      title="Returned check"
      command={command}
      name={{ subject: 'The returned check', notDone: 'The returned check was not recorded.' }}
      labels={{ keep: 'Keep deposit', submit: `Reverse ${sum}`, busy: 'Reversing…' }}
      level="strong"
      action="reverse a returned check"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <b>
          Check, {sum}. Number {line.reference}
        </b>
        , {formatShortStamp(line.paidAt)}
      </p>
      <ul className="command-consequences">
        <li>The deposit stays visible with its reversal, and is requested again.</li>
        <li>Nothing is emailed.</li>
      </ul>
      <Input {...form.field('reason')} label="Reason" required />
    </CommandDialog>
  )
}
