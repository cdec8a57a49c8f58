import { estimateLimits } from '#contracts/estimates/estimates.ts'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { goodUntilProblem, type EstimateForm } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'

/** The note to the customer, the internal note, and the last day on which the estimate can be approved. */
export function NotesCard({ form, actions }: { form: EstimateForm; actions: EstimateFormActions }) {
  const change = (changed: Partial<EstimateForm>) =>
    actions.change((before) => ({ ...before, ...changed }))
  return (
    <section className="card rail-card" aria-label="Notes">
      <TextArea
        label="Note to the customer"
        rows={2}
        maxLength={estimateLimits.noteLength}
        value={form.customerNote}
        onChange={({ target }) => change({ customerNote: target.value })}
      />
      <TextArea
        className="internal-note"
        label={
          <>
            <Icon name="lock" />
            Internal note
          </>
        }
        hint="Never shown to the customer."
        rows={2}
        maxLength={estimateLimits.noteLength}
        value={form.internalNote}
        onChange={({ target }) => change({ internalNote: target.value })}
      />
      <Input
        className="good-until"
        label="Good until"
        type="date"
        error={goodUntilProblem(form)}
        value={form.goodUntil}
        onChange={({ target }) => change({ goodUntil: target.value })}
      />
    </section>
  )
}
