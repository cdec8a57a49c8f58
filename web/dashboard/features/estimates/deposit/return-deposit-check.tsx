import { type Deposit, depositCommands } from '#contracts/payments/deposits.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { ReasonDialog } from '#web/dashboard/kit/corrections/reason-dialog.tsx'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { toast } from '#web/ui/toast/toast.ts'

type Props = { line: Deposit['lines'][number]; onClose: () => void }

/** The dialog that records a returned check: the bank did not pay the check for a deposit. */
export function ReturnDepositCheck({ line, onClose }: Props) {
  const command = useConfirmedCommand(depositCommands.returnCheck, 'estimates', () => {
    toast({ title: 'Check returned', description: 'The shop no longer holds the deposit.' })
    onClose()
  })
  const sum = formatCents(line.amountCents)
  return (
    <ReasonDialog
      title="Returned check"
      command={command}
      name={{ subject: 'The returned check', notDone: 'The returned check was not recorded.' }}
      labels={{ keep: 'Keep deposit', submit: `Reverse ${sum}`, busy: 'Reversing…' }}
      level="strong"
      action="take off a returned check"
      onSubmit={(reason) => command.run({ paymentId: line.id, reason })}
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
        <li>The customer gets no email.</li>
      </ul>
    </ReasonDialog>
  )
}
