import { type KeyboardEvent, memo } from 'react'
import { estimateLimits, lineSubtypes } from '#contracts/estimates/estimates.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'
import { isHazardousWasteFee } from '#domain/estimates/hazardous-waste-fee.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import {
  addLine,
  changeLineKind,
  changeLine,
  emptyLine,
  moveLine,
  restoreLine,
  removeLine,
} from '../form/edit-form.ts'
import { detailLabels, subtypeNames, kindLabels, formatSignedCents } from '../estimate-text.ts'
import { isBlank, parseLine, type EstimateFormLine } from '../form/estimate-form.ts'
import { removeWithUndo, type EstimateFormActions } from '../form/estimate-form-actions.ts'

type Props = {
  jobKey: string
  line: EstimateFormLine
  index: number
  /** The `data-cell` attribute of the element that gets the focus when staff remove this line. */
  neighbor: string
  amountCents: number
  actions: EstimateFormActions
}

/** The editor of one line of a job. React renders this editor again only when the line changes. */
export const LineRow = memo(function LineRow(props: Props) {
  const { jobKey, line, amountCents } = props
  const { problems } = parseLine(line)
  const problemId = `${line.key}-problem`
  const message = Object.values(problems)
  const cell = (name: 'quantity' | 'each') => ({
    className: 'cell cell-number',
    inputMode: 'decimal' as const,
    maxLength: 20,
    'data-cell': `${line.key}:${name}`,
    value: line[name],
    onChange: ({ target }: { target: { value: string } }) =>
      props.actions.change(changeLine(jobKey, line.key, { [name]: target.value })),
    'aria-invalid': problems[name] ? (true as const) : undefined,
    'aria-describedby': problems[name] ? problemId : undefined,
  })
  const isPercent = line.kind === 'discount' && line.subtype === 'percent'
  return (
    <>
      <tr onKeyDown={(event) => followKey(event, props)}>
        <td className="line-kind">
          <KindCell {...props} />
        </td>
        <td className="line-what">
          <input
            className="cell"
            aria-label="Description"
            data-cell={`${line.key}:description`}
            maxLength={estimateLimits.descriptionLength}
            value={line.description}
            onChange={({ target }) =>
              props.actions.change(changeLine(jobKey, line.key, { description: target.value }))
            }
          />
          <DetailCell {...props} />
          {isHazardousByName(line) && (
            <small>This line counts as hazardous waste: the shop needs an EPA number.</small>
          )}
        </td>
        <td className="line-quantity">
          <input
            {...cell('quantity')}
            aria-label={isPercent ? 'Percent' : line.kind === 'labor' ? 'Hours' : 'Quantity'}
          />
        </td>
        <td className="line-each">
          {!isPercent && (
            <input
              {...cell('each')}
              aria-label={line.kind === 'labor' ? 'Rate per hour' : 'Unit price'}
            />
          )}
        </td>
        <td className="line-tax">
          <TaxCell {...props} />
        </td>
        <td className="line-amount">{formatSignedCents(amountCents)}</td>
        <td className="line-remove">
          <Button
            compact
            level="quiet"
            square
            aria-label="Remove line"
            onClick={() => remove(props)}
          >
            <Icon name="close" />
          </Button>
        </td>
      </tr>
      {message.length > 0 && (
        <tr className="line-problem">
          <td colSpan={7} id={problemId}>
            <Icon name="alert" />
            {message.join(' ')}
          </td>
        </tr>
      )}
    </>
  )
})

function KindCell({ jobKey, line, actions }: Props) {
  return (
    <select
      className="cell"
      aria-label="Kind"
      data-cell={`${line.key}:kind`}
      value={line.kind}
      onChange={({ target }) => {
        const kind = lineKinds.find((candidate) => candidate === target.value) ?? line.kind
        actions.change(changeLine(jobKey, line.key, changeLineKind(line, kind, actions.laborRate)))
      }}
    >
      {lineKinds.map((kind) => (
        <option key={kind} value={kind}>
          {kindLabels[kind]}
        </option>
      ))}
    </select>
  )
}

/** The select for the subtype of a line: the condition of a part, the kind of a fee, or the type of a discount. */
function DetailCell({ jobKey, line, actions }: Props) {
  const details: readonly string[] = lineSubtypes[line.kind]
  if (details.length < 2) return null
  return (
    <select
      className="cell cell-detail"
      aria-label={detailLabels[line.kind]}
      value={line.subtype}
      onChange={({ target }) =>
        actions.change(
          changeLine(jobKey, line.key, { subtype: target.value, ...asDetail(target.value) }),
        )
      }
    >
      {details.map((subtype) => (
        <option key={subtype} value={subtype}>
          {subtypeNames[subtype]}
        </option>
      ))}
    </select>
  )
}

/** Whether the description of a fee mentions hazardous waste although the fee has another subtype. */
function isHazardousByName({ kind, subtype, description }: EstimateFormLine): boolean {
  return kind === 'fee' && subtype !== 'hazardous_waste' && isHazardousWasteFee(description)
}

/**
 * Returns the fields that a new subtype of a line resets: a discount in percent has no price per unit, and an untaxed
 * subtype makes the line not taxable.
 */
function asDetail(subtype: string): Partial<EstimateFormLine> {
  if (subtype === 'percent') return { each: '', isTaxable: false }
  return untaxed.has(subtype) ? { isTaxable: false } : {}
}

/**
 * A discount in percent has no tax switch, because such a discount reduces the taxable amounts themselves. A state fee
 * has no tax switch, because the fee is not taxed.
 */
const untaxed = new Set(['percent', 'battery', 'tire'])

function TaxCell({ jobKey, line, actions }: Props) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label="Taxable"
        data-cell={`${line.key}:tax`}
        disabled={untaxed.has(line.subtype)}
        checked={line.isTaxable}
        onChange={({ target }) =>
          actions.change(changeLine(jobKey, line.key, { isTaxable: target.checked }))
        }
      />
    </label>
  )
}

const order = ['description', 'quantity', 'each'] as const

/**
 * Enter moves to the next cell, and after the last cell adds a line of the same kind. Alt and an arrow key move the
 * line.
 */
function followKey(event: KeyboardEvent<HTMLElement>, props: Props): void {
  const { jobKey, line, actions } = props
  const [, cell] = (event.target as HTMLElement).dataset['cell']?.split(':') ?? []
  if (cell === undefined) return
  const step = event.altKey && ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
  if (step) {
    event.preventDefault()
    actions.change(moveLine(jobKey, line.key, step))
    return actions.focus(`${line.key}:${cell}`)
  }
  if (event.key === 'Escape') {
    event.preventDefault()
    return actions.focus(`job:${jobKey}`)
  }
  if (event.key !== 'Enter' || cell === 'kind' || event.nativeEvent.isComposing) return
  event.preventDefault()
  const next = order[order.indexOf(cell as (typeof order)[number]) + 1]
  const isLast = cell === 'tax' || cell === 'each' || !next
  if (!isLast && !(next === 'each' && line.subtype === 'percent')) {
    return actions.focus(`${line.key}:${next}`)
  }
  // If the last line is still empty, Enter adds no further line.
  if (isBlank(line)) return actions.focus(`${line.key}:description`)
  const added = emptyLine(line.kind, actions.laborRate)
  actions.change(addLine(jobKey, { ...added, subtype: line.subtype }, line.key))
  actions.focus(`${added.key}:description`)
}

function remove({ jobKey, line, index, neighbor, actions }: Props): void {
  const restore = restoreLine(jobKey, line, index)
  if (isBlank(line)) actions.change(removeLine(jobKey, line.key))
  else {
    const what = line.description.trim() || 'Line'
    removeWithUndo(actions, what, { remove: removeLine(jobKey, line.key), restore })
  }
  actions.focus(neighbor)
}
