import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
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
import { listOpenInvoices } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type LedgerLine, ledgerTitle } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'

/** Replaces a payment that staff recorded with the wrong invoice, payment method or sum. */
export function CorrectPaymentDialog({ paymentId, ...props }: DialogProps & { paymentId: string }) {
  const payment = props.invoice.ledger.find(({ id }) => id === paymentId)
  return payment ? <Correction {...props} payment={payment} /> : null
}

function Correction({ invoice, payment, onClose }: DialogProps & { payment: LedgerLine }) {
  const { currency } = invoice
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState(() => startCorrection(payment))
  const [target, choose] = useState<ListedInvoice>()
  const form = useForm({ element, values, onChange, limits: correctionLimits })
  const command = useConfirmedCommand(invoiceCommands.correctPayment, 'invoices', (result) => {
    const balance = formatCents(result.balanceCents, currency)
    toast({ title: 'Payment corrected', description: `The balance of this invoice is ${balance}.` })
    onClose()
  })
  const submit = () => {
    const checked = checkCorrection(values, payment, {
      maximumCents: target?.balanceCents ?? invoice.balanceCents + payment.amountCents,
      isMoved: target !== undefined,
    })
    if (!checked.ok) return form.complain(checked.refusal)
    const { method, amountCents, reference, reason } = checked.value
    const invoiceId = target?.id ?? invoice.id
    command.run({ paymentId: payment.id, invoiceId, method, amountCents, reference, reason })
  }
  return (
    <CommandDialog
      title="Recorded wrongly"
      command={command}
      name={{ subject: 'The correction', notDone: 'The payment was not corrected.' }}
      labels={{ keep: 'Keep payment', submit: 'Correct the payment', busy: 'Correcting…' }}
      level="strong"
      action="correct this payment"
      element={element}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <b>
          {ledgerTitle(payment)}, {formatCents(payment.amountCents, currency)}
        </b>
        , {formatShortStamp(payment.paidAt)}. The line stays visible with its reversal, and a new
        line replaces it.
      </p>
      <CorrectionFields form={form} values={values}>
        {payment.kind === 'payment' && (
          <InvoiceChoice invoice={invoice} chosen={target} onChoose={choose} />
        )}
      </CorrectionFields>
    </CommandDialog>
  )
}

type ChoiceProps = {
  invoice: InvoiceDetail
  chosen: ListedInvoice | undefined
  onChoose: (target: ListedInvoice | undefined) => void
}

/** Lets staff choose the invoice that the customer paid: this invoice, or another open one. */
function InvoiceChoice({ invoice, chosen, onChoose }: ChoiceProps) {
  const open = useQuery({ queryKey: ['invoices', 'open'], queryFn: listOpenInvoices })
  const others = (open.data ?? []).filter(
    ({ id, currency }) => id !== invoice.id && currency === invoice.currency,
  )
  return (
    <Select
      label="Invoice that it paid"
      name="invoiceId"
      hint={
        chosen &&
        'If the payment provider has already recorded this payment, the amount is due on a replacement invoice.'
      }
      error={open.isError ? 'The other invoices could not be loaded.' : undefined}
      value={chosen?.id ?? ''}
      onChange={({ target }) => onChoose(others.find(({ id }) => id === target.value))}
    >
      <option value="">This invoice, {invoice.number}</option>
      {others.map((other) => (
        <option key={other.id} value={other.id}>
          {other.number}, {other.customerName}, {formatCents(other.balanceCents, other.currency)}{' '}
          open
        </option>
      ))}
    </Select>
  )
}
