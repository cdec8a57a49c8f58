import { type CSSProperties, useState } from 'react'
import { dayNames } from '#domain/calendar/calendar-date.ts'
import type { OpeningHours, Weekday } from '#domain/calendar/opening-hours.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { FieldError } from '#web/ui/field/field.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ScheduleConflictLink } from '../kit/conflicts/schedule-conflict-link.tsx'
import { CopyHoursDialog } from './copy-hours-dialog.tsx'
import { type HoursForm, weekdays, weekOf } from './hours-row.ts'
import { TimeOptions } from './time-options.tsx'

type Fields = Form<HoursForm>
type CardProps = {
  form: Fields
  values: HoursForm
  /** Returns the number of appointments on a weekday that have a schedule conflict because of the weekly hours. */
  scheduleConflictsOn: (day: Weekday) => number
}

/** The form of the weekly hours: a switch, opening and closing time, and a bar for each weekday. */
export function HoursCard({ form, values, scheduleConflictsOn }: CardProps) {
  const [copied, setCopied] = useState<Weekday>()
  const week = weekOf(values)
  return (
    <section className="card settings-card">
      <h3>Opening hours</h3>
      <ul className="hours-week" aria-label="Week">
        {weekdays.map((day) => (
          <li key={day}>
            <span className="hours-day">
              {dayNames[day]} <ScheduleConflictLink count={scheduleConflictsOn(day)} />
            </span>
            <DaySwitch {...{ form, values, day }} />
            {values[`open${day}`] && <DayTimes {...{ form, values, day }} />}
            <div className="hours-scale-cell">
              <HoursScale hours={week[day]} />
            </div>
            <div className="hours-copy">
              <Button
                compact
                level="quiet"
                aria-label={`Copy ${dayNames[day]} to other days`}
                onClick={() => setCopied(day)}
              >
                Copy to…
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {copied !== undefined && (
        <CopyHoursDialog
          day={copied}
          onClose={() => setCopied(undefined)}
          onCopy={(days) => form.change(copyHours(values, copied, days))}
        />
      )}
    </section>
  )
}

/** Returns form values that give each of `days` the same hours as `day`. */
function copyHours(values: HoursForm, day: Weekday, days: readonly Weekday[]): Partial<HoursForm> {
  const entries = days.flatMap((other) => [
    [`open${other}`, values[`open${day}`]],
    [`from${other}`, values[`from${day}`]],
    [`to${other}`, values[`to${day}`]],
  ])
  return Object.fromEntries(entries) as Partial<HoursForm>
}

type DayProps = { form: Fields; values: HoursForm; day: Weekday }

function DaySwitch({ form, values, day }: DayProps) {
  const isOpen = values[`open${day}`]
  return (
    <div className="hours-open">
      <Switch
        name={`open${day}`}
        checked={isOpen}
        aria-label={`${dayNames[day]} open`}
        onChange={({ target }) => form.change({ [`open${day}`]: target.checked })}
      >
        {isOpen ? 'Open' : 'Closed'}
      </Switch>
    </div>
  )
}

function DayTimes({ form, values, day }: DayProps) {
  const { error, ...end } = form.choice(`to${day}`)
  const start = form.choice(`from${day}`)
  const errorId = `to${day}-error`
  return (
    <div className="hours-times">
      <select
        name={start.name}
        value={start.value}
        onChange={start.onChange}
        className="input"
        aria-label={`${dayNames[day]} from`}
      >
        <TimeOptions current={Number(values[`from${day}`])} valueOf={String} />
      </select>
      <span>to</span>
      <select
        {...end}
        className="input"
        aria-label={`${dayNames[day]} to`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      >
        <TimeOptions current={Number(values[`to${day}`])} valueOf={String} />
      </select>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

/** The bar shows 6 AM to 11 PM; earlier and later hours are cut off. */
const scale = { fromMinute: 6 * 60, toMinute: 23 * 60 }

/**
 * The opening hours of one day as a bar, empty on a closed day. The bar is hidden from screen readers, because the
 * times are beside it.
 */
export function HoursScale({ hours }: { hours: OpeningHours | null | undefined }) {
  const share = (minute: number) => {
    const within = Math.min(Math.max(minute, scale.fromMinute), scale.toMinute)
    return (100 * (within - scale.fromMinute)) / (scale.toMinute - scale.fromMinute)
  }
  const start = share(hours?.opensAtMinute ?? 0)
  const length = share(hours?.closesAtMinute ?? 0) - start
  const style = { '--start': `${start}%`, '--length': `${length}%` } as CSSProperties
  return (
    <div className="hours-scale" aria-hidden="true">
      {hours && <i style={style} />}
    </div>
  )
}
