import { useState } from 'react'
import { flushSync } from 'react-dom'
import { estimateLimits } from '#contracts/estimates/estimates.ts'
import { payerLabels } from '#domain/estimates/payer.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { EstimateForm } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'
import { priceProblem } from '../form/tear-down-form.ts'

const fields = [
  ['name', estimateLimits.payerNameLength],
  ['reference', estimateLimits.payerReferenceLength],
  ['approved', 12],
] as const

/**
 * The third party who pays instead of the customer, such as an insurer (16 CCR 3353). The card is collapsed until staff
 * open it.
 */
export function PayerCard({ form, actions }: { form: EstimateForm; actions: EstimateFormActions }) {
  const { payer } = form
  const isEmpty = Object.values(payer).every((text) => text === '')
  // A card that the user opened stays open while its fields are empty.
  const [isOpen, setIsOpen] = useState(!isEmpty)
  if (!isOpen && isEmpty) {
    return (
      <Button
        compact
        level="quiet"
        onClick={() => {
          flushSync(() => setIsOpen(true))
          actions.focus('payer:name')
        }}
      >
        <Icon name="plus" />
        {payerLabels.name}
      </Button>
    )
  }
  return (
    <section className="card rail-card" aria-label={payerLabels.name}>
      {fields.map(([name, longest]) => (
        <Input
          key={name}
          label={payerLabels[name]}
          hint={
            name === 'approved'
              ? 'Without an amount, the estimate prints the sentence about third-party payers from the settings.'
              : undefined
          }
          inputMode={name === 'approved' ? 'decimal' : 'text'}
          autoComplete="off"
          maxLength={longest}
          data-cell={`payer:${name}`}
          error={name === 'approved' ? priceProblem(payer.approved) : undefined}
          value={payer[name]}
          onChange={({ target }) =>
            actions.change((before) => ({
              ...before,
              payer: { ...before.payer, [name]: target.value },
            }))
          }
        />
      ))}
    </section>
  )
}
