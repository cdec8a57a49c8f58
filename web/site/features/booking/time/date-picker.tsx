import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import {
  addMonths,
  firstOfMonth,
  formatLongDate,
  formatMonth,
} from '#domain/calendar/calendar-date.ts'
import { CalendarMonth } from '#web/ui/calendar/calendar-month.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { clampDay, moveDayByKey, type DayRange } from '#domain/calendar/calendar-month.ts'
import './date-picker.css'

type DatePickerProps = {
  /** The range of days that the calendar shows. The first day is today. */
  range: DayRange
  selected: string | null
  /** A remark that screen readers read after the date: '17 times free'. */
  remarkOf: (day: string) => string | undefined
  /** The reason why the visitor cannot choose a day of the range: 'Closed: Thanksgiving Day'. */
  closedOf: (day: string) => string | undefined
  onSelect: (day: string) => void
}

/**
 * The calendar of a month, which follows the WAI-ARIA date picker pattern: the calendar has one tab stop, arrow keys
 * move the focus, Enter or Space chooses a day.
 */
export function DatePicker({ range, selected, remarkOf, closedOf, onSelect }: DatePickerProps) {
  const [wanted, setWanted] = useState(selected ?? range.first)
  const active = clampDay(wanted, range)
  const { grid, followKey } = useKeys(active, range, setWanted)
  return (
    <>
      <MonthHead month={firstOfMonth(active)} range={range} onMonth={setWanted} />
      <CalendarMonth
        ref={grid}
        role="grid"
        aria-labelledby="calendar-month"
        onKeyDown={followKey}
        month={firstOfMonth(active)}
        today={range.first}
        renderDay={(day) => (
          <DayButton
            day={day}
            isOff={day < range.first || day > range.last}
            isToday={day === range.first}
            isSelected={day === selected}
            isTabStop={day === active}
            remark={remarkOf(day)}
            closed={closedOf(day)}
            onSelect={() => {
              setWanted(day)
              onSelect(day)
            }}
          />
        )}
      />
    </>
  )
}

/** Moves the focus between days with the keys of the date picker pattern. */
function useKeys(active: string, range: DayRange, onMove: (day: string) => void) {
  const grid = useRef<HTMLTableElement>(null)
  const followsKeys = useRef(false)

  function followKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = moveDayByKey(event.key, active, range)
    if (next === undefined) return
    event.preventDefault()
    if (next === active) return
    followsKeys.current = true
    onMove(next)
  }
  // The focus moves in a layout effect, because the next key may arrive within a frame and must find the focus on the
  // new day.
  useLayoutEffect(() => {
    if (!followsKeys.current) return
    followsKeys.current = false
    grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
  }, [active])
  return { grid, followKey }
}

function MonthHead(props: { month: string; range: DayRange; onMonth: (day: string) => void }) {
  const { month, range, onMonth } = props
  const showMonth = (by: number) => onMonth(clampDay(addMonths(month, by), range))
  return (
    <div className="calendar-head">
      <MonthButton
        label="Previous month"
        icon="chevron-left"
        isOff={month <= firstOfMonth(range.first)}
        onClick={() => showMonth(-1)}
      />
      <b id="calendar-month" aria-live="polite">
        {formatMonth(month)}
      </b>
      <MonthButton
        label="Next month"
        icon="chevron-right"
        isOff={month >= firstOfMonth(range.last)}
        onClick={() => showMonth(1)}
      />
    </div>
  )
}

/**
 * The button that shows the previous or next month. At the end of the range the button is not disabled, because a
 * disabled button loses the focus.
 */
function MonthButton(props: {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  isOff: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      aria-disabled={props.isOff}
      onClick={() => !props.isOff && props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  )
}

/** A closed day can have the focus, so that keyboard users hear why the shop is closed. */
function DayButton(props: {
  day: string
  isOff: boolean
  isToday: boolean
  isSelected: boolean
  isTabStop: boolean
  remark: string | undefined
  closed: string | undefined
  onSelect: () => void
}) {
  const { day, isOff, closed } = props
  const stateText = isOff ? 'not available' : (closed ?? props.remark)
  const label = [formatLongDate(day), stateText].filter(Boolean).join(', ')
  const canBePicked = !isOff && closed === undefined
  return (
    <button
      type="button"
      disabled={isOff}
      aria-disabled={isOff || canBePicked ? undefined : true}
      tabIndex={props.isTabStop ? 0 : -1}
      aria-label={label}
      aria-pressed={canBePicked ? props.isSelected : undefined}
      title={isOff ? undefined : closed}
      aria-current={props.isToday ? 'date' : undefined}
      onClick={() => canBePicked && props.onSelect()}
    >
      {Number(day.slice(8))}
    </button>
  )
}
