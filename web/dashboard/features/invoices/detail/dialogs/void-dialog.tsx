import { useRef, useState } from 'react'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { voidSentence } from '#domain/payments/correction-text.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { isPayingOnline } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { textProblem } from '#web/dashboard/kit/corrections/check-fields.ts'
import { CommandDialog } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { NotifyChoice, useEmailResult } from './notify-choice.tsx'

const reasons = ['Wrong customer', 'Wrong amount', 'Made twice', 'Work was not done']
const other = 'Other, say why below'

/**
 * The dialog that voids an invoice without payments. Staff cannot void an invoice that has a payment; for such an
 * invoice the dialog offers a cancellation instead.
 */
export function VoidDialog(props: DialogProps & { onCancelInstead: () => void }) {
  const { invoice, onClose, onCancelInstead } = props
  if (invoice.can.void || !invoice.can.cancel) return <VoidForm {...props} />
  return (
    <Dialog
      open
      size="small"
      title="This invoice cannot be voided"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep invoice</Button>
          <Button level="danger" onClick={onCancelInstead}>
            Cancel this invoice
          </Button>
        </>
      }
    >
      <Notice tone="warn" title="A payment was attached to this invoice">
        Cancel the invoice instead: a credit note for the total is created, and every payment is
        refunded by its original method.
      </Notice>
    </Dialog>
  )
}

function VoidForm({ invoice, readAt, onClose }: DialogProps) {
  const { id, number, customerName, totalCents, currency, estimateNumber } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ choice: reasons[0] ?? '', why: '', notifies: true })
  const form = useForm({ element, values, onChange, limits: { why: 200 } })
  const emailResult = useEmailResult()
  const command = useConfirmedCommand(invoiceCommands.void, 'invoices', (_, { notifies }) => {
    toast({ title: 'Invoice voided', description: emailResult(notifies) })
    onClose()
  })
  const reason = values.choice === other ? values.why.trim() : values.choice
  const notifies = values.notifies && invoice.customerEmail !== null
  const submit = () => {
    const problem = textProblem(reason, 'Enter the reason.')
    if (problem) form.complain({ why: problem })
    else command.run({ invoiceId: id, reason, notifies })
  }
  const isPaying = isPayingOnline(invoice, readAt)
  return (
    <CommandDialog
      title="Void this invoice?"
      command={command}
      name={{ subject: 'The void', notDone: 'The invoice was not voided.' }}
      labels={{
        keep: 'Keep invoice',
        submit: isPaying ? 'Close payment page and void' : 'Void invoice',
        busy: 'Voiding…',
      }}
      action="void this invoice"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {[number, customerName].filter(Boolean).join(', ')},{' '}
        <b>{formatCents(totalCents, currency)}</b>. No payment was taken.
      </p>
      {isPaying && <PayingNotice invoice={invoice} />}
      <ul className="command-consequences">
        <li>The payment link stops working.</li>
        <li>The number stays in the list, marked void.</li>
        <li>
          {estimateNumber
            ? `Estimate ${estimateNumber} can be invoiced again.`
            : 'The customer owes nothing.'}
        </li>
      </ul>
      <Select {...form.choice('choice')} label="Reason" required>
        {[...reasons, other].map((text) => (
          <option key={text}>{text}</option>
        ))}
      </Select>
      {values.choice === other && <Input {...form.field('why')} label="Why" required />}
      <NotifyChoice
        invoice={invoice}
        isChecked={values.notifies}
        onChange={(isChecked) => form.change({ notifies: isChecked })}
      >
        {voidSentence(number ?? id)} Reason: {reason}
      </NotifyChoice>
    </CommandDialog>
  )
}

function PayingNotice({ invoice }: Pick<DialogProps, 'invoice'>) {
  const { customerName, paymentPageOpenedAt } = invoice
  return (
    <Notice
      title={`${customerName || 'The customer'} opened the payment page at ${formatShopTime(new Date(paymentPageOpenedAt ?? ''))}`}
    >
      The payment page is closed first. If the customer pays before that, the invoice is not voided.
    </Notice>
  )
}
