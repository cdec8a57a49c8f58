import { minuteOfTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import type { ClosureForm } from './special-hours.ts'
import { TimeOptions } from './time-options.tsx'

type PartProps = { form: Form<ClosureForm>; values: ClosureForm }

/** The choice between a closure and a special opening. */
export function KindButtons({ form, values }: PartProps) {
  return (
    <div className="toggle-buttons" role="group" aria-label="Kind">
      {[
        { isOpen: false, label: 'Closed' },
        { isOpen: true, label: 'Open' },
      ].map(({ isOpen, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={values.isOpen === isOpen}
          onClick={() => form.change({ isOpen })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** The dates of the closure, and its times unless it lasts all day. A special opening has only one date. */
export function ClosureDays({ form, values, today }: PartProps & { today: string }) {
  const hasTimes = values.isOpen || !values.isAllDay
  return (
    <>
      <Input {...form.field('firstDay')} type="date" label="From" min={today} />
      {hasTimes && <TimeSelect {...{ form, values }} name="fromTime" label="From, time" />}
      {!values.isOpen && (
        <Input
          {...form.field('lastDay')}
          value={values.lastDay || values.firstDay}
          type="date"
          label="To"
          min={values.firstDay || today}
        />
      )}
      {hasTimes && <TimeSelect {...{ form, values }} name="toTime" label="To, time" />}
    </>
  )
}

function TimeSelect(props: PartProps & { name: 'fromTime' | 'toTime'; label: string }) {
  const { form, values, name, label } = props
  const current = values[name] === '24:00' ? 1440 : minuteOfTime(values[name])
  return (
    <Select {...form.choice(name)} label={label}>
      <TimeOptions current={current} valueOf={timeOfMinute} />
    </Select>
  )
}

/** The checkboxes that set whether the closure lasts all day, and whether customers see its reason. */
export function ClosureTicks({ form, values }: PartProps) {
  return (
    <>
      {!values.isOpen && (
        <label className="checkbox">
          <input
            type="checkbox"
            checked={values.isAllDay}
            onChange={({ target }) => form.change({ isAllDay: target.checked })}
          />
          All day
        </label>
      )}
      <label className="checkbox">
        <input
          type="checkbox"
          checked={values.isPublic}
          onChange={({ target }) => form.change({ isPublic: target.checked })}
        />
        Customers see the reason
      </label>
    </>
  )
}
