import { addDays, weekdayOf } from './calendar-date.ts'
import type { Weekday } from './opening-hours.ts'

/**
 * A holiday of the United States, with dates as 'yyyy-MM-dd'. `observedOn` differs from `date` when `date` is on a
 * weekend.
 */
export type UsHoliday = {
  readonly name: string
  readonly date: string
  readonly observedOn: string
}

/**
 * The legal public holidays of the United States in a year (5 U.S.C. 6103(a)), in order. A holiday on a Saturday is
 * observed on the Friday before, and a holiday on a Sunday on the Monday after (6103(b), Executive Order 11582), so New
 * Year's Day may be observed in the previous year.
 */
export function usHolidays(year: number): UsHoliday[] {
  const on = (month: number, day: number) =>
    `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`
  const nth = (count: number, weekday: Weekday, month: number) => {
    const first = on(month, 1)
    return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7)
  }
  const lastMondayOfMay = () => addDays(on(5, 31), -((weekdayOf(on(5, 31)) + 6) % 7))
  const holidays: [name: string, date: string][] = [
    ['New Year’s Day', on(1, 1)],
    ['Martin Luther King Jr. Day', nth(3, 1, 1)],
    ['Presidents’ Day', nth(3, 1, 2)],
    ['Memorial Day', lastMondayOfMay()],
    ['Juneteenth', on(6, 19)],
    ['Independence Day', on(7, 4)],
    ['Labor Day', nth(1, 1, 9)],
    ['Columbus Day', nth(2, 1, 10)],
    ['Veterans Day', on(11, 11)],
    ['Thanksgiving Day', nth(4, 4, 11)],
    ['Christmas Day', on(12, 25)],
  ]
  return holidays.map(([name, date]) => ({ name, date, observedOn: observed(date) }))
}

const pad = (value: number) => String(value).padStart(2, '0')

function observed(date: string): string {
  const weekday = weekdayOf(date)
  if (weekday === 6) return addDays(date, -1)
  return weekday === 0 ? addDays(date, 1) : date
}
