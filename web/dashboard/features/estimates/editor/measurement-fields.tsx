import { FieldError } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { changeJob } from '../form/edit-form.ts'
import { measurementProblem, type EstimateFormMeasurement } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'

const fields = [
  ['value', 'Measured'],
  ['limit', 'Limit'],
  ['whenNew', 'New'],
  ['unit', 'Unit'],
] as const

/**
 * The fields of a measurement: the measured value, its limit, and the value of a new part. The customer sees the
 * measurement as a scale.
 */
export function MeasurementFields(props: {
  jobKey: string
  measurement: EstimateFormMeasurement
  actions: EstimateFormActions
}) {
  const { jobKey, measurement, actions } = props
  const problem = measurementProblem(measurement)
  const change = (next: EstimateFormMeasurement | null) =>
    actions.change(changeJob(jobKey, (job) => ({ ...job, measurement: next })))
  return (
    <fieldset className="job-measure">
      <legend className="visually-hidden">Measurement</legend>
      {fields.map(([name, label]) => (
        <label key={name}>
          <span>{label}</span>
          <input
            className={name === 'unit' ? 'cell' : 'cell cell-number'}
            data-cell={name === 'value' ? `${jobKey}:measure` : undefined}
            inputMode={name === 'unit' ? 'text' : 'decimal'}
            maxLength={12}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${jobKey}-measure-problem` : undefined}
            value={measurement[name]}
            onChange={({ target }) => change({ ...measurement, [name]: target.value })}
          />
        </label>
      ))}
      <Button
        compact
        level="quiet"
        square
        aria-label="Remove the measurement"
        onClick={() => {
          change(null)
          actions.focus(`job:${jobKey}`)
        }}
      >
        <Icon name="close" />
      </Button>
      {problem && <FieldError id={`${jobKey}-measure-problem`}>{problem}</FieldError>}
    </fieldset>
  )
}
