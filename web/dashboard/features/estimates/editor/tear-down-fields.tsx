import { useId } from 'react'
import { estimateLimits } from '#contracts/estimates/estimates.ts'
import { tearDownLabels } from '#domain/estimates/tear-down.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { changeJob } from '../form/edit-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'
import { type EstimateFormTearDown, priceProblem, tearDownCell } from '../form/tear-down-form.ts'

type Props = {
  jobKey: string
  tearDown: EstimateFormTearDown
  actions: EstimateFormActions
}

const texts = [
  ['areas', estimateLimits.tearDownTextLength, ''],
  ['priceCents', 12, 'Before tax.'],
  ['reassemblyPriceCents', 12, 'Before tax, including the parts that the tear-down destroys.'],
  ['destroyedParts', estimateLimits.tearDownTextLength, 'Gaskets, seals, O-rings, or “None”.'],
  ['reassemblyTime', estimateLimits.reassemblyTimeLength, 'From the approval: “5 business days”.'],
] as const

/**
 * The terms of a tear-down, which the customer reads before approving. The lines of the job determine the prices of the
 * tear-down and of the reassembly.
 */
export function TearDownFields({ jobKey, tearDown, actions }: Props) {
  const title = useId()
  const change = (next: EstimateFormTearDown | null) =>
    actions.change(changeJob(jobKey, (job) => ({ ...job, tearDown: next })))
  return (
    <section className="tear-down" aria-labelledby={title}>
      <h4 id={title}>Tear-down</h4>
      {texts.map(([name, longest, hint]) => (
        <Input
          key={name}
          label={tearDownLabels[name]}
          hint={hint || undefined}
          autoComplete="off"
          inputMode={isPrice(name) ? 'decimal' : 'text'}
          maxLength={longest}
          data-cell={tearDownCell(jobKey, name)}
          error={isPrice(name) ? priceProblem(tearDown[name]) : undefined}
          value={tearDown[name]}
          onChange={({ target }) => change({ ...tearDown, [name]: target.value })}
        />
      ))}
      <Select
        label={tearDownLabels.mayPreventReassembly}
        data-cell={tearDownCell(jobKey, 'mayPreventReassembly')}
        value={tearDown.mayPreventReassembly}
        onChange={({ target }) => {
          const chosen = (['yes', 'no'] as const).find((value) => value === target.value)
          change({ ...tearDown, mayPreventReassembly: chosen ?? '' })
        }}
      >
        <option value="">Choose…</option>
        <option value="yes">Yes</option>
        <option value="no">No</option>
      </Select>
      <div>
        <Button
          compact
          level="quiet"
          onClick={() => {
            change(null)
            actions.focus(`job:${jobKey}`)
          }}
        >
          Not a tear-down
        </Button>
      </div>
    </section>
  )
}

const isPrice = (name: string) => name === 'priceCents' || name === 'reassemblyPriceCents'
