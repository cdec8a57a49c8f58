import type { Form } from '#web/lib/forms/use-form.ts'
import type { RulesForm } from './rules-row.ts'

/** The form of the booking rules. */
export type RulesFields = Form<RulesForm>

type Props = {
  form: RulesFields
  name: Exclude<keyof RulesForm, 'isPaused' | 'notifyShop'>
  /** The accessible name, for users of screen readers, who do not see the sentence around the select. */
  label: string
  choices: readonly string[]
  format: (choice: string) => string
  /** The parts of the sentence before and after the select element. */
  before: string
  after: string
}

/**
 * A rule as a sentence: 'At least [2 hours] before the appointment.' A saved value that is not in `choices` is added as
 * an option.
 */
export function RuleSelect({ form, name, label, choices, format, before, after }: Props) {
  const { value, error, onChange } = form.choice(name)
  const all = value === '' || choices.includes(value) ? choices : [value, ...choices]
  return (
    <span className="rule">
      {before}{' '}
      <select
        className="input"
        name={name}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        value={value}
        onChange={onChange}
      >
        {all.map((choice) => (
          <option key={choice} value={choice}>
            {format(choice)}
          </option>
        ))}
      </select>
      {after.length > 1 && ' '}
      {after}
    </span>
  )
}
