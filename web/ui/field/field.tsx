import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import './field.css'

type FieldProps = {
  label: ReactNode
  /** Draws the orange star of a required field. Also set `required` on the control itself; `Input` does both. */
  required?: boolean | undefined
  hint?: ReactNode
  /** The error text below the control. An error text also marks the control as invalid. */
  error?: string | undefined
  /** Extra class on the field, for example 'full-row'. */
  className?: string | undefined
}

type Wiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/**
 * A form field with its label above the control, and its hint and error below. The ids in the attributes connect these
 * texts to the control; `children` renders the control with these attributes.
 */
function Field({
  id: givenId,
  label,
  required,
  hint,
  error,
  className,
  children,
}: FieldProps & { id?: string | undefined; children: (wiring: Wiring) => ReactNode }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="required-mark" aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** The red error text with the alert icon, for a control outside of a `Field`. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="field-error" id={id}>
      <Icon name="alert" />
      {children}
    </p>
  )
}

/*
 * `Input`, `Select` and `TextArea` accept every attribute of their HTML element. Screen readers announce `required`
 * (aria-required), but the browser does not enforce it, because the page shows the messages of docs/product.md 5 in
 * their own order.
 */

/** `<Input label="Full Name" required autoComplete="name" value={…} onChange={…} error={…} />` */
export function Input(
  props: FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>,
) {
  const { label, required, hint, error, className, id, ...rest } = props
  return (
    <Field {...{ id, label, required, hint, error, className }}>
      {(wiring) => (
        <input
          type="text"
          {...wiring}
          {...rest}
          className="input"
          aria-required={required || undefined}
        />
      )}
    </Field>
  )
}

/** `<Select label="Type of Service" value={…} onChange={…}><option>…</option></Select>` */
export function Select(
  props: FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'>,
) {
  const { label, required, hint, error, className, id, children, ...rest } = props
  return (
    <Field {...{ id, label, required, hint, error, className }}>
      {(wiring) => (
        <select {...rest} {...wiring} className="input" aria-required={required || undefined}>
          {children}
        </select>
      )}
    </Field>
  )
}

/** `<TextArea label="Additional Notes" rows={4} value={…} onChange={…} />` */
export function TextArea(
  props: FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'>,
) {
  const { label, required, hint, error, className, id, ...rest } = props
  return (
    <Field {...{ id, label, required, hint, error, className }}>
      {(wiring) => (
        <textarea {...rest} {...wiring} className="input" aria-required={required || undefined} />
      )}
    </Field>
  )
}
