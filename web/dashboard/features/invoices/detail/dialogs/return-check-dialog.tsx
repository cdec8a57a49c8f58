import { useRef, useState } from 'react'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { ledgerDetail, type LedgerLine } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'

/** Records that the bank did not pay a check. */
export function ReturnCheckDialog({ paymentId, ...props }: DialogProps & { paymentId: string }) {
  const payment = props.invoice.ledger.find(({ id }) => id === paymentId)
  return payment ? <ReturnedCheck {...props} payment={payment} /> : null
}

function ReturnedCheck({ invoice, payment, onClose }: DialogProps & { payment: LedgerLine }) {
  const { currency } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ reason: '' })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const command = useConfirmedCommand(invoiceCommands.returnCheck, 'invoices', (result) => {
    const balance = formatCents(result.balanceCents, currency)
    toast({ title: 'Check returned', description: `The balance is ${balance}.` })
    onClose()
  })
  const reason = values.reason.trim()
  const submit = () => {
    const problem = textProblem(reason, 'Enter the reason.')
    if (problem) form.complain({ reason: problem })
    else command.run({ paymentId: payment.id, reason })
  }
  const sum = formatCents(payment.amountCents, currency)
  return (
    <CommandDialog
      title="Returned check"
      command={command}
      name={{ subject: 'The returned check', notDone: 'The returned check was not recorded.' }}
      labels={{ keep: 'Keep payment', submit: `Reverse ${sum}`, busy: 'Reversing…' }}
      level="strong"
      action="reverse a returned check"
      element={element}
      onSubmit={submit}
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
          If the payment provider counts this payment as paid, a replacement invoice for the sum is
          created.
        </li>
        <li>Nothing is emailed.</li>
      </ul>
      <Input {...form.field('reason')} label="Reason" required />
    </CommandDialog>
  )
}
