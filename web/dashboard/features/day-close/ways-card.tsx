import type { ReactNode } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { differenceText } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { FieldError } from '#web/ui/field/field.tsx'
import { wayDetail, wayNames, type Way, ways } from './close-texts.ts'
import { type CloseForm, focusNextOnEnter } from './use-close-form.ts'
import { formFigures, type WayFigures } from './way-figures.ts'

type Props = {
  day: DayClose
  /** The count of an open day. */
  form?: CloseForm | undefined
  /**
   * The recorded amounts of a closed day. The table of an open day shows the amounts of `form`, or without `form` only
   * the recorded payments.
   */
  figures?: WayFigures | undefined
}

/**
 * The table that compares, for each payment method, the sum of the recorded payments with the sum that staff counted.
 */
export function WaysCard({ day, form, figures = form && formFigures(form) }: Props) {
  return (
    <section className="card day-close-card">
      <header>
        <h3>All methods</h3>
      </header>
      <table className="day-close-ways">
        <thead>
          <tr>
            <th>Method</th>
            <th className="day-close-amount">Expected</th>
            <th className="day-close-amount">Counted</th>
            <th className="day-close-difference">Difference</th>
          </tr>
        </thead>
        <tbody>
          {ways.map((way) => (
            <WayRow key={way} {...{ day, form, figures, way }} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All methods, without the starting cash</th>
            <Amounts
              expected={figures ? figures.all.expected : sumOfDay(day)}
              counted={figures?.all.counted}
            />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

const sumOfDay = ({ cash, methods }: DayClose) =>
  cash.changeCents +
  methods.card_terminal.cents +
  methods.card_online.cents +
  methods.check.cents +
  methods.other.cents

function WayRow({ day, form, figures, way }: Props & { way: Way }) {
  const typed = (way === 'card_terminal' || way === 'check') && day.methods[way].payments > 0
  const row = figures?.[way]
  const isHidden = way === 'cash' && form !== undefined && !form.isRevealed
  return (
    <tr>
      <th scope="row">
        <b>{wayNames[way]}</b>{' '}
        <small>
          {isHidden ? 'Count the drawer first.' : wayDetail(day, way, figures?.startCents)}
        </small>
      </th>
      <Amounts
        expected={row ? row.expected : day.methods[way].cents}
        counted={row?.counted}
        input={form && typed && <TypedTotal form={form} way={way} />}
      />
    </tr>
  )
}

/**
 * The expected amount, the counted amount and the difference in the row of a payment method or of the total. An
 * undefined amount is unknown or hidden.
 */
function Amounts(props: {
  expected: number | undefined
  counted: number | undefined
  input?: ReactNode
}) {
  const { expected, counted, input } = props
  const difference =
    expected !== undefined && counted !== undefined ? counted - expected : undefined
  return (
    <>
      <td className="day-close-amount day-close-expected">
        {expected !== undefined && formatCents(expected)}
      </td>
      <td className="day-close-amount day-close-counted">
        {input || (counted !== undefined && formatCents(counted))}
      </td>
      <td
        className={difference ? 'day-close-difference day-close-differs' : 'day-close-difference'}
      >
        {difference !== undefined && differenceText(difference, formatCents)}
      </td>
    </>
  )
}

function TypedTotal({ form, way }: { form: CloseForm; way: 'card_terminal' | 'check' }) {
  const name = way === 'check' ? 'check' : 'terminal'
  const error = form.errors[name]
  return (
    <>
      <input
        className="input"
        name={name}
        inputMode="decimal"
        autoComplete="off"
        aria-label={`${wayNames[way]}, counted`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${name}-error` : undefined}
        value={form.draft[name]}
        onKeyDown={focusNextOnEnter}
        onChange={({ target }) => form.change({ [name]: target.value })}
      />
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
    </>
  )
}
