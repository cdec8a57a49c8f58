import { useRef, useState } from 'react'
import { type Deposit, depositCommands } from '#contracts/payments/deposits.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import {
  CorrectionFields,
  correctionLimits,
} from '#web/dashboard/kit/corrections/correction-fields.tsx'
import {
  checkCorrection,
  startCorrection,
} from '#web/dashboard/kit/corrections/payment-correction.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

type Props = { deposit: Deposit; line: Deposit['lines'][number]; onClose: () => void }

/** Replaces a paid deposit that staff recorded with the wrong payment method or sum. */
export function CorrectDeposit({ deposit, line, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState(() => startCorrection(line))
  const form = useForm({ element, values, onChange, limits: correctionLimits })
  const command = useConfirmedCommand(depositCommands.correct, 'estimates', ({ heldCents }) => {
    toast({ title: 'Deposit corrected', description: `${formatCents(heldCents)} is held.` })
    onClose()
  })
  const submit = () => {
    const maximumCents = Math.max(line.amountCents, deposit.askedCents)
    const checked = checkCorrection(values, line, { maximumCents })
    if (!checked.ok) return form.complain(checked.refusal)
    const { method, amountCents, reference, reason } = checked.value
    command.run({ paymentId: line.id, method, amountCents, reference, reason })
  }
  return (
    <CommandDialog
      title="Recorded wrongly"
      command={command}
      name={{ subject: 'The correction', notDone: 'The deposit was not corrected.' }}
      labels={{ keep: 'Keep deposit', submit: 'Correct the deposit', busy: 'Correcting…' }}
      level="strong"
      action="correct this deposit"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <b>
          {methodNames[line.method]}, {formatCents(line.amountCents)}
        </b>
        , {formatShortStamp(line.paidAt)}. The line stays visible with its reversal, and a new line
        replaces it.
      </p>
      <CorrectionFields form={form} values={values} />
    </CommandDialog>
  )
}
