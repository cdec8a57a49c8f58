import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ledgerDetail, type LedgerLine } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { ReasonDialog } from '#web/dashboard/kit/corrections/reason-dialog.tsx'

/** The dialog that records a returned check, which the bank did not pay. */
export function ReturnCheckDialog({ paymentId, ...props }: DialogProps & { paymentId: string }) {
  const payment = props.invoice.ledger.find(({ id }) => id === paymentId)
  return payment ? <ReturnedCheck {...props} payment={payment} /> : null
}

function ReturnedCheck({ invoice, payment, onClose }: DialogProps & { payment: LedgerLine }) {
  const { currency } = invoice
  const command = useConfirmedCommand(invoiceCommands.returnCheck, 'invoices', (result) => {
    const balance = formatCents(result.balanceCents, currency)
    toast({ title: 'Check returned', description: `The balance is ${balance}.` })
    onClose()
  })
  const sum = formatCents(payment.amountCents, currency)
  return (
    <ReasonDialog
      title="Returned check"
      command={command}
      name={{ subject: 'The returned check', notDone: 'The returned check was not recorded.' }}
      labels={{ keep: 'Keep payment', submit: `Reverse ${sum}`, busy: 'Reversing…' }}
      level="strong"
      action="take off a returned check"
      onSubmit={(reason) => command.run({ paymentId: payment.id, reason })}
      onClose={onClose}
    >
      <p>
        <b>
          Check, {sum}. {ledgerDetail(payment)}
        </b>
        , {formatShortStamp(payment.paidAt)}
      </p>
      <ul className="command-consequences">
        <li>The payment stays visible with its reversal, and the customer owes {sum} again.</li>
        <li>
          If the payment provider has already recorded this payment, the amount is due on a
          replacement invoice.
        </li>
        <li>The customer gets no email.</li>
      </ul>
    </ReasonDialog>
  )
}
