import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { emptyLine, type FormLine, isOmitted, coerceLineQuantity } from './invoice-form.ts'

type Props = { lines: readonly FormLine[]; onChange: (lines: readonly FormLine[]) => void }

/** The line items of the invoice. At least one row is always present. */
export function LineItems({ lines, onChange }: Props) {
  const replace = (next: FormLine) =>
    onChange(lines.map((line) => (line.key === next.key ? next : line)))
  const remove = (key: number) => {
    const left = lines.filter((line) => line.key !== key)
    onChange(left.length > 0 ? left : [emptyLine()])
  }
  const omittedCount = lines.filter(isOmitted).length
  return (
    <>
      <table className="line-items">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" className="item-amount">
              Amount (USD)
            </th>
            <th scope="col" className="item-quantity">
              Quantity
            </th>
            <th className="item-remove">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <LineRow
              key={line.key}
              line={line}
              number={index + 1}
              onChange={replace}
              onRemove={() => remove(line.key)}
            />
          ))}
        </tbody>
      </table>
      <Button
        compact
        className="add-line"
        disabled={lines.length >= 100}
        onClick={() => onChange([...lines, emptyLine()])}
      >
        <Icon name="plus" />
        Add Line Item
      </Button>
      {omittedCount > 0 && (
        <p className="hint" role="status">
          {omittedCount === 1 ? 'One line is' : `${omittedCount} lines are`} left out of the
          invoice: a line needs a description, an amount above 0 and a quantity above 0.
        </p>
      )}
    </>
  )
}

function LineRow(props: {
  line: FormLine
  number: number
  onChange: (line: FormLine) => void
  onRemove: () => void
}) {
  const { line, number, onChange, onRemove } = props
  const isIncomplete = isOmitted(line)
  return (
    <tr className={isIncomplete ? 'left-out' : undefined}>
      <td data-label="Description">
        <input
          className="input"
          // If the invoice has no valid line, the form focuses the field named 'lines'.
          name="lines"
          aria-label={`Description, line ${number}`}
          maxLength={500}
          value={line.description}
          onChange={(event) => onChange({ ...line, description: event.target.value })}
        />
      </td>
      <td className="item-amount" data-label="Amount (USD)">
        <input
          className="input"
          aria-label={`Amount in USD, line ${number}`}
          inputMode="decimal"
          maxLength={20}
          value={line.amount}
          onChange={(event) => onChange({ ...line, amount: event.target.value })}
        />
      </td>
      <td className="item-quantity" data-label="Quantity">
        <input
          className="input"
          aria-label={`Quantity, line ${number}`}
          inputMode="numeric"
          maxLength={6}
          value={line.quantity}
          onChange={(event) => onChange({ ...line, quantity: event.target.value })}
          onBlur={() => onChange(coerceLineQuantity(line))}
        />
      </td>
      <td className="item-remove">
        <Button
          compact
          level="quiet"
          square
          aria-label={`Remove line ${number}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </Button>
      </td>
    </tr>
  )
}
