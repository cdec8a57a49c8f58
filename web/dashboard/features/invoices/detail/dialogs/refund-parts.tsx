import { useId } from 'react'
import { formatCents } from '#domain/money/format-cents.ts'
import { FieldError } from '#web/ui/field/field.tsx'
import { sumOfParts } from './refund-form.ts'
import type { Refund } from './use-refund.ts'

type Props = { refund: Refund; currency: string; name: string }

/**
 * Checkboxes for the jobs or lines that staff can refund individually. Each checkbox shows the refundable price
 * including sales tax.
 */
export function RefundParts({ refund, currency, name }: Props) {
  const { form, values, source } = refund
  const errorId = useId()
  const error = form.errors.parts
  const toggle = (key: string) =>
    form.change({
      parts: values.parts.includes(key)
        ? values.parts.filter((chosen) => chosen !== key)
        : [...values.parts, key],
    })
  return (
    <fieldset className="refund-parts" aria-describedby={error ? errorId : undefined}>
      <legend className="visually-hidden">{name}</legend>
      <div>
        {source?.parts.map(({ key, title, leftCents, leftTaxCents }) => {
          const isTooMuch = sumOfParts([key], source) > source.payment.leftCents
          return (
            <label key={key}>
              <input
                type="checkbox"
                // After an error, the form focuses its first field named 'parts'. A disabled checkbox cannot get the
                // focus, so this checkbox then has no name.
                name={isTooMuch ? undefined : 'parts'}
                checked={values.parts.includes(key)}
                disabled={isTooMuch}
                onChange={() => toggle(key)}
              />
              <span>
                <b>{title}</b>
                {isTooMuch && (
                  <small>
                    This item costs more than the unrefunded rest of the payment. Refund the item in
                    two steps.
                  </small>
                )}
                {!isTooMuch && leftTaxCents > 0 && (
                  <small>Tax in it {formatCents(leftTaxCents, currency)}</small>
                )}
              </span>
              <b>{formatCents(leftCents, currency)}</b>
            </label>
          )
        })}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  )
}
