import { Link } from '@tanstack/react-router'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { counterMethod, type CounterMethod } from '#contracts/payments/counter-commands.ts'
import { type Deposit, depositCommands } from '#contracts/payments/deposits.ts'
import type { InputOf, ResultOf } from '#contracts/commands/command.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { checkPayment, type PaymentForm } from '#domain/payments/payment-form.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { receiptLink } from '#web/dashboard/kit/navigation/links.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { DepositEstimate } from './deposit-api.ts'
import { depositProblem } from './deposit-text.ts'
import './deposit.css'

type Props = { estimate: DepositEstimate; deposit: Deposit; onClose: () => void }
type Order = InputOf<typeof depositCommands.take>
type Taken = ResultOf<typeof depositCommands.take>

/** Takes the deposit at the counter. The cash to give back stays visible until staff close the dialog. */
export function TakeDeposit({ estimate, deposit, onClose }: Props) {
  // The sum of the deposit when the dialog opened. If another window has changed the sum since, the server refuses the
  // payment.
  const [askedCents] = useState(deposit.askedCents)
  const [taken, setTaken] = useState<Taken>()
  const queries = useQueryClient()
  const taking = useMutation({
    mutationFn: (order: Order) => runCommand(depositCommands.take, order),
    onSuccess: setTaken,
    onSettled: () => refetchQueries(queries, 'estimates'),
  })
  return taken ? (
    <TakenDeposit taken={taken} onClose={onClose} />
  ) : (
    <TakeForm
      estimate={estimate}
      askedCents={askedCents}
      isBusy={taking.isPending}
      error={taking.error}
      onTake={taking.mutate}
      onClose={onClose}
    />
  )
}

type FormProps = {
  estimate: DepositEstimate
  askedCents: number
  isBusy: boolean
  error: Error | null
  onTake: (order: Order) => void
  onClose: () => void
}

function TakeForm({ estimate, askedCents, isBusy, error, onTake, onClose }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const isOffline = useOfflineSince() !== undefined
  const { email } = estimate.customer
  const [values, onChange] = useState<PaymentForm & { sendsReceipt: boolean }>({
    method: 'cash',
    amount: (askedCents / 100).toFixed(2),
    given: '',
    reference: '',
    note: '',
    sendsReceipt: email !== '',
  })
  const form = useForm({ element, values, onChange, limits: { reference: 60, note: 500 } })
  const submit = () => {
    const checked = checkPayment(values, { balanceCents: askedCents, rounds: false })
    if (!checked.ok) return form.complain({ [checked.refusal.field]: checked.refusal.message })
    const { method, sendsReceipt } = values
    onTake({ estimateId: estimate.id, method, ...checked.value, sendsReceipt })
  }
  const amount = formatCents(askedCents)
  return (
    <FormDialog
      title="Take deposit"
      label={buttonText(values.method, amount)}
      busyLabel="Taking…"
      isBusy={isBusy}
      disabled={isOffline}
      element={element}
      className="deposit-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {estimate.number}, {estimate.customer.name || 'the customer'}: <b>{amount}</b>
      </p>
      {error && (
        <Notice tone="bad" title="The deposit was not taken.">
          {depositProblem(error)}
        </Notice>
      )}
      <Select {...form.choice('method')} label="How" required>
        {counterMethod.options.map((method) => (
          <option key={method} value={method}>
            {methodNames[method]}
          </option>
        ))}
      </Select>
      {values.method === 'cash' ? (
        <Input
          {...form.field('given')}
          label="Given, in dollars"
          hint="Empty for the exact sum."
          inputMode="decimal"
          autoComplete="off"
        />
      ) : (
        <Input
          {...form.field('reference')}
          label={referenceLabels[values.method]}
          required={values.method !== 'card_terminal'}
          autoComplete="off"
        />
      )}
      <Input {...form.field('note')} label="Note (optional)" autoComplete="off" />
      {email !== '' && (
        <label className="deposit-receipt">
          <input
            type="checkbox"
            checked={values.sendsReceipt}
            onChange={({ target }) => form.change({ sendsReceipt: target.checked })}
          />
          Receipt by email to {email}
        </label>
      )}
    </FormDialog>
  )
}

const referenceLabels: Readonly<Record<Exclude<CounterMethod, 'cash'>, string>> = {
  card_terminal: 'Last four digits (optional)',
  check: 'Check number',
  other: 'Payment method',
}

function buttonText(method: CounterMethod, amount: string): string {
  switch (method) {
    case 'cash':
      return `Take ${amount} in cash`
    case 'card_terminal':
      return `Take ${amount} by terminal`
    case 'check':
      return `Take check of ${amount}`
    case 'other':
      return `Take ${amount}`
  }
}

function TakenDeposit({ taken, onClose }: { taken: Taken; onClose: () => void }) {
  const { paymentId, amountCents, changeCents, paymentPage, receiptEmail } = taken
  return (
    <Dialog
      open
      size="small"
      title="Deposit taken"
      onClose={onClose}
      footer={
        <Button compact level="strong" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="deposit-form" role="status">
        <p>
          {formatCents(amountCents)} is recorded. It is deducted from the invoice automatically.
        </p>
        {changeCents > 0 && (
          <p className="deposit-change">
            Change <b>{formatCents(changeCents)}</b>
          </p>
        )}
        {paymentPage === 'unknown' && (
          <p>
            The payment provider did not respond. If the customer pays online now, that payment is
            refunded automatically.
          </p>
        )}
        {receiptEmail !== null && <p>The receipt goes to {receiptEmail}.</p>}
      </div>
      <Link
        className={buttonClass('secondary', { compact: true })}
        target="_blank"
        {...receiptLink(paymentId, changeCents > 0 ? amountCents + changeCents : null)}
      >
        <Icon name="print" />
        Print receipt
      </Link>
    </Dialog>
  )
}
