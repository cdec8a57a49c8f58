import { type FormEvent, useId, useRef, useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { counterMethod, type CounterMethod } from '#contracts/payments/counter-commands.ts'
import { type Deposit, depositCommands } from '#contracts/payments/deposits.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { containsCardNumber } from '#domain/payments/card-number.ts'
import { refundSentence, type RefundWay } from '#domain/payments/correction-text.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useShop } from '#web/lib/shop.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { depositProblem, heldPayments } from '#web/dashboard/kit/deposits/deposit-text.ts'

type Props = { estimate: Estimate; deposit: Deposit; onClose: () => void }

/** The dialog that refunds the deposit before an invoice exists. The refund requires step-up authentication. */
export function RefundDeposit({ estimate, deposit, onClose }: Props) {
  const formId = useId()
  const command = useConfirmedCommand(depositCommands.refund, 'estimates', ({ refundCents }) => {
    toast({ title: 'Deposit refunded', description: `${formatCents(refundCents)} goes back.` })
    onClose()
  })
  const amount = formatCents(deposit.heldCents)
  return (
    <>
      <Dialog
        open
        size="small"
        title="Refund deposit"
        busy={command.isBusy}
        onClose={onClose}
        footer={
          <>
            <Button compact disabled={command.isBusy} onClick={onClose}>
              Keep deposit
            </Button>
            <Button
              compact
              level="strong"
              type="submit"
              form={formId}
              busy={command.isBusy && 'Refunding…'}
            >
              Refund {amount}
            </Button>
          </>
        }
      >
        {command.error && (
          <Notice tone="bad" title="The deposit was not refunded.">
            {depositProblem(command.error)}
          </Notice>
        )}
        <RefundForm
          formId={formId}
          estimate={estimate}
          deposit={deposit}
          onRefund={(order) => command.isBusy || command.run(order)}
        />
      </Dialog>
      {command.confirmation && (
        <StepUpDialog
          action={
            <>
              refund <b>{amount}</b> to {estimate.document.customer.name || 'the customer'}
            </>
          }
          {...command.confirmation}
        />
      )}
    </>
  )
}

type Order = {
  estimateId: string
  method: CounterMethod | null
  reference: string | null
  reason: string
  notifies: boolean
}
type FormProps = {
  formId: string
  estimate: Estimate
  deposit: Deposit
  onRefund: (order: Order) => void
}

function RefundForm({ formId, estimate, deposit, onRefund }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const shop = useShop()
  const { email } = estimate.document.customer
  const [values, onChange] = useState({
    method: '',
    reference: '',
    reason: '',
    notifies: email !== '',
  })
  const form = useForm({ element, values, onChange, limits: { reference: 60, reason: 200 } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [reason, reference] = [values.reason.trim(), values.reference.trim()]
    if (values.method !== '' && reference === '') {
      return form.complain({ reference: `Please fill in: ${referenceLabel(values.method)}.` })
    }
    if (reason === '') return form.complain({ reason: 'Please enter a reason.' })
    if (containsCardNumber(reason)) {
      return form.complain({
        reason: 'This text looks like a card number. Please remove the number.',
      })
    }
    const method = counterMethod.options.find((option) => option === values.method) ?? null
    const { notifies } = values
    onRefund({
      estimateId: estimate.id,
      method,
      reference: method === null ? null : reference,
      reason,
      notifies,
    })
  }
  const held = heldPayments(deposit)
  const payment = held.length === 1 ? held[0] : undefined
  const sentence = refundSentence(shop.name, deposit.heldCents, 'usd', wayOf(values, payment))
  return (
    <form id={formId} ref={element} className="deposit-form" noValidate onSubmit={submit}>
      <Select {...form.choice('method')} label="Refund by">
        <option value="">The original method{payment && `: ${methodNames[payment.method]}`}</option>
        {counterMethod.options
          .filter((method) => method !== payment?.method)
          .map((method) => (
            <option key={method} value={method}>
              {methodNames[method]}
            </option>
          ))}
      </Select>
      {values.method !== '' && (
        <Input {...form.field('reference')} label={referenceLabel(values.method)} required />
      )}
      {values.method === '' && payment?.method === 'card_terminal' && (
        <p className="hint">Refund the card on the terminal first, then record the refund here.</p>
      )}
      <Input {...form.field('reason')} label="Reason, the customer reads it" required />
      {email === '' ? (
        <p className="hint">The customer has no email address, so nothing is sent.</p>
      ) : (
        <label className="deposit-receipt">
          <input
            type="checkbox"
            checked={values.notifies}
            onChange={({ target }) => form.change({ notifies: target.checked })}
          />
          <span>
            Notify the customer by email: “{sentence}” To {email}.
          </span>
        </label>
      )}
    </form>
  )
}

/**
 * The label of the field that describes a refund by another payment method than that of the deposit. The email to the
 * customer contains the text of this field if the refund is paid by check or by the method 'other'.
 */
const referenceLabel = (method: string) =>
  method === 'check' ? 'Check number' : method === 'other' ? 'How' : 'Why this method'

/**
 * The payment method that the refund email names; undefined if the shop refunds several payments, each by its original
 * method.
 */
function wayOf(
  { method, reference }: { readonly method: string; readonly reference: string },
  payment: Deposit['lines'][number] | undefined,
): RefundWay | undefined {
  if (method !== '') return { method, reference: reference.trim() || null, isSameWay: false }
  return payment && { method: payment.method, reference: payment.reference, isSameWay: true }
}
