import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { ReasonDialog } from '#web/dashboard/kit/corrections/reason-dialog.tsx'

/** The dialog that writes off an invoice's balance, because the customer will not pay. */
export function WriteOffDialog({ invoice, onClose }: DialogProps) {
  const { id, number, customerName, balanceCents, currency } = invoice
  const command = useConfirmedCommand(invoiceCommands.writeOff, 'invoices', () => {
    toast({ title: 'Written off', description: 'The invoice can still be paid.' })
    onClose()
  })
  const balance = formatCents(balanceCents, currency)
  return (
    <ReasonDialog
      title="Write off the balance?"
      command={command}
      name={{ subject: 'The write-off', notDone: 'The balance was not written off.' }}
      labels={{ keep: 'Keep invoice', submit: `Write off ${balance}`, busy: 'Writing off…' }}
      action="write off the balance"
      onSubmit={(reason) => command.run({ invoiceId: id, reason })}
      onClose={onClose}
    >
      <p>
        {[number, customerName].filter(Boolean).join(', ')}, <b>{balance}</b> open.
      </p>
      <ul className="command-consequences">
        <li>The balance no longer counts as outstanding.</li>
        <li>The invoice is listed under “Written off”.</li>
        <li>The customer can still pay the invoice.</li>
      </ul>
    </ReasonDialog>
  )
}
