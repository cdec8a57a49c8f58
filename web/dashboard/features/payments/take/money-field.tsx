import { type ReactNode, useId } from 'react'
import { FieldError } from '#web/ui/field/field.tsx'

type Props = {
  name: 'amount' | 'given'
  label: string
  value: string
  hint?: ReactNode
  error?: string | undefined
  onChange: (text: string) => void
}

/** An input for a sum in dollars, with large digits. */
export function MoneyField({ name, label, value, hint, error, onChange }: Props) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <div className="pay-label-row">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </div>
      <div className="pay-money">
        <span aria-hidden="true">$</span>
        <input
          className="input"
          id={id}
          name={name}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
