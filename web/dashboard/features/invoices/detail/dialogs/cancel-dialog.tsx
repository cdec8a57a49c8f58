import { useRef, useState } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { cancelSentence, refundSentence } from '#domain/payments/correction-text.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useShop } from '#web/lib/shop.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { invoiceAmounts, ledgerTitle } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { missingReason, textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { NotifyChoice, useEmailResult } from './notify-choice.tsx'
import { refundable } from './refund-form.ts'

/** The dialog that cancels a fully or partly paid invoice. A credit note credits the whole total. */
export function CancelDialog({ invoice, onClose }: DialogProps) {
  const { id, currency } = invoice
  const shop = useShop()
  const payments = refundable(invoice.ledger)
  const backCents = payments.reduce((sum, { leftCents }) => sum + leftCents, 0)
  const [first, ...others] = payments
  // The text of the email names the payment method only if the cancellation refunds exactly one payment.
  const way = first && others.length === 0 ? { ...first, isSameWay: true } : undefined
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ reason: '', notifies: true })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const emailResult = useEmailResult()
  const command = useConfirmedCommand(
    invoiceCommands.cancel,
    'invoices',
    ({ refundCents }, { notifies }) => {
      const back = refundCents > 0 ? `${formatCents(refundCents, currency)} goes back.` : ''
      toast({
        title: 'Invoice cancelled',
        description: [back, emailResult(notifies)].filter(Boolean).join(' '),
      })
      onClose()
    },
  )
  const reason = values.reason.trim()
  const notifies = values.notifies && invoice.customerEmail !== null
  const submit = () => {
    const problem = textProblem(reason, missingReason)
    if (problem) form.complain({ reason: problem })
    else command.run({ invoiceId: id, reason, notifies })
  }
  return (
    <CommandDialog
      title="Cancel this invoice?"
      command={command}
      name={{ subject: 'The cancellation', notDone: 'The invoice was not cancelled.' }}
      labels={{ keep: 'Keep invoice', submit: 'Cancel this invoice', busy: 'Cancelling…' }}
      action="cancel this invoice"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <Consequences invoice={invoice} />
      <Input {...form.field('reason')} label="Reason, the customer reads it" required />
      <NotifyChoice
        invoice={invoice}
        isChecked={values.notifies}
        onChange={(isChecked) => form.change({ notifies: isChecked })}
      >
        {backCents === 0
          ? cancelSentence(invoice.number ?? id)
          : refundSentence(shop.name, backCents, currency, way)}
        {reason && ` Reason: ${reason}`}
      </NotifyChoice>
    </CommandDialog>
  )
}

const waysBack: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'the payment provider sends it to the card.',
  card_terminal: 'refund it on the terminal first.',
  cash: 'take it out of the drawer.',
  check: 'write a check.',
  other: 'send it the way it came.',
}

function Consequences({ invoice }: { invoice: InvoiceDetail }) {
  const { number, customerName, totalCents, currency, ledger, estimateNumber } = invoice
  const total = formatCents(totalCents, currency)
  const { creditedCents } = invoiceAmounts(invoice)
  const payments = refundable(ledger)
  return (
    <>
      <p>
        {[number, customerName].filter(Boolean).join(', ')}, <b>{total}</b>.
      </p>
      <ul className="command-consequences">
        <li>A credit note for {formatCents(totalCents - creditedCents, currency)} is created.</li>
        {payments.length === 0 && <li>No payment has to be refunded.</li>}
        {payments.map((payment) => (
          <li key={payment.id}>
            <b>
              {formatCents(payment.leftCents, currency)} goes back: {ledgerTitle(payment)}
            </b>
            , {waysBack[payment.method]}
          </li>
        ))}
        <li>
          {estimateNumber
            ? `Estimate ${estimateNumber} can be invoiced again.`
            : 'The number stays in the list, marked cancelled.'}
        </li>
      </ul>
    </>
  )
}
