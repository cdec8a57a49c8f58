import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import type { LedgerLine } from '../detail-text.ts'
import { referenceLabels } from './refund-form.ts'
import type { Refund } from './use-refund.ts'

const wayNames: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'Card',
  card_terminal: 'Terminal',
  cash: 'Cash from the drawer',
  check: 'Check',
  other: 'Other',
}
const otherWays: readonly CounterMethod[] = ['card_terminal', 'cash', 'check', 'other']

const hints: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'The payment provider sends the money. It arrives in 5 to 10 days.',
  card_terminal: 'Refund the card on the terminal first, then record the refund here.',
  cash: '',
  check: 'Write the refund check first, then record the refund here.',
  other: 'Send the money first, then record the refund here.',
}

/** The choice of the refund method: the original payment method, or another method with its reference. */
export function RefundWay({ refund, payment }: { refund: Refund; payment: LedgerLine }) {
  const { form, values, cents } = refund
  const way = values.method || payment.method
  return (
    <>
      <Select {...form.choice('method')} label="Refund by" hint={hints[way]}>
        <option value="">{wayNames[payment.method]}, the original method</option>
        {otherWays
          .filter((method) => method !== payment.method)
          .map((method) => (
            <option key={method} value={method}>
              {wayNames[method]}
            </option>
          ))}
      </Select>
      {way === 'cash' && cents !== undefined && (
        <p className="refund-drawer">
          Take out of the drawer <b>{formatCents(cents)}</b>
        </p>
      )}
      {values.method !== '' && (
        <Input
          {...form.field('reference')}
          label={referenceLabels[values.method]}
          required
          autoComplete="off"
        />
      )}
    </>
  )
}
