import { denominationName, denominations } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Input } from '#web/ui/field/field.tsx'
import { type CloseForm, focusNextOnEnter } from './use-close-form.ts'

/**
 * The fields in which staff type the number of bills and coins of each denomination in the cash drawer, from $100 down.
 */
export function CashCountCard({ form }: { form: CloseForm }) {
  const { day, draft, figures } = form
  return (
    <section className="card day-close-card">
      <header>
        <h3>Count the cash</h3>
        <b>{formatCents(figures.countedCents)}</b>
      </header>
      {day.startCents === null && (
        <div className="day-close-start">
          <Input
            label="In the drawer when the day began"
            required
            name="start"
            inputMode="decimal"
            autoComplete="off"
            value={draft.start}
            error={form.errors.start}
            hint="Only the first close asks for this amount. Later, each day starts with the cash that stayed in the drawer."
            onKeyDown={focusNextOnEnter}
            onChange={({ target }) => form.change({ start: target.value })}
          />
        </div>
      )}
      <ul className="day-close-count">
        {denominations.map((denomination) => (
          <Denomination key={denomination} form={form} denomination={denomination} />
        ))}
      </ul>
    </section>
  )
}

function Denomination({ form, denomination }: { form: CloseForm; denomination: number }) {
  const typed = form.draft.counts[denomination] ?? ''
  const id = `count-${denomination}`
  return (
    <li>
      <label htmlFor={id}>{denominationName(denomination)}</label>
      <input
        className="input"
        id={id}
        inputMode="numeric"
        autoComplete="off"
        placeholder="0"
        value={typed}
        onKeyDown={focusNextOnEnter}
        onChange={({ target }) => form.count(denomination, target.value)}
      />
      <span>{Number(typed) > 0 && formatCents(Number(typed) * denomination)}</span>
    </li>
  )
}
