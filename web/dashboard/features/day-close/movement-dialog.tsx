import { cashCommands } from '#contracts/payments/day-close.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { AmountDialog } from './amount-dialog.tsx'

export type MovementKind = 'paid_in' | 'paid_out'

export const movementNames: Readonly<Record<MovementKind, string>> = {
  paid_in: 'Paid in',
  paid_out: 'Paid out',
}

/**
 * The dialog that records a cash movement: cash that staff put into the drawer or take out, other than payments by
 * customers and refunds to them.
 */
export function MovementDialog({ kind, onClose }: { kind: MovementKind; onClose: () => void }) {
  return (
    <AmountDialog
      title={movementNames[kind]}
      label={kind === 'paid_in' ? 'Put into the drawer' : 'Taken out of the drawer'}
      reasonHint={kind === 'paid_in' ? 'For example: change from the bank.' : 'For example: parts.'}
      submit={kind === 'paid_in' ? 'Record paid in' : 'Record paid out'}
      save={async (amountCents, reason) => {
        await runCommand(cashCommands.recordMovement, { kind, amountCents, reason })
        toast({ title: `${movementNames[kind]} ${formatCents(amountCents)}`, description: reason })
      }}
      onClose={onClose}
    />
  )
}
