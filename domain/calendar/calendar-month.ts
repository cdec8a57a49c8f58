import { addDays, addMonths, firstOfMonth, sundayOf } from './calendar-date.ts'

/** The selectable days of a date picker, including `first` and `last`. */
export type DayRange = { first: string; last: string }

/** The weeks of a month's calendar, each from Sunday to Saturday; null for a day of another month. */
export function weeksOfMonth(month: string): (string | null)[][] {
  const first = firstOfMonth(month)
  const end = addMonths(first, 1)
  const weeks: (string | null)[][] = []
  for (let sunday = sundayOf(first); sunday < end; sunday = addDays(sunday, 7)) {
    const days = [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(sunday, day))
    weeks.push(days.map((day) => (day >= first && day < end ? day : null)))
  }
  return weeks
}

export function clampDay(day: string, { first, last }: DayRange): string {
  if (day < first) return first
  return day > last ? last : day
}

/**
 * The day that gets the focus after a key press, as in the WAI-ARIA date picker: arrow keys move by day and week,
 * Home and End within the week, Page Up and Page Down by month. Undefined for any other key. The result is always
 * within the range, because days outside it cannot be focused.
 */
export function moveDayByKey(key: string, day: string, range: DayRange): string | undefined {
  const moves = new Map([
    ['ArrowLeft', () => addDays(day, -1)],
    ['ArrowRight', () => addDays(day, 1)],
    ['ArrowUp', () => addDays(day, -7)],
    ['ArrowDown', () => addDays(day, 7)],
    ['Home', () => sundayOf(day)],
    ['End', () => addDays(sundayOf(day), 6)],
    ['PageUp', () => addMonths(day, -1)],
    ['PageDown', () => addMonths(day, 1)],
  ])
  const move = moves.get(key)
  return move && clampDay(move(), range)
}
