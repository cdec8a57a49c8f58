import { addDays, addMonths, daysBetween, firstOfMonth, isCalendarDate } from './calendar-date.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** A range of shop dates 'yyyy-MM-dd', including both `from` and `to`. */
export type DateRange = { readonly from: string; readonly to: string }

type RangeRefusal = {
  readonly title: string
  readonly message: string
  readonly fields: readonly (keyof DateRange)[]
}

/** Ten years, three of them leap years: the longest range that one downloaded file covers (docs/product.md 16.26). */
const mostDays = 3653

/** Returns the range, or the reason why the accountant cannot download a file for the range. */
export function checkDateRange(range: DateRange): Result<DateRange, RangeRefusal> {
  const { from, to } = range
  if (!isDayOfBusiness(from)) return refuse('Please choose the first day.', ['from'])
  if (!isDayOfBusiness(to)) return refuse('Please choose the last day.', ['to'])
  if (to < from) return refuse('The last day is before the first one.', ['to'])
  if (daysBetween(from, to) >= mostDays) {
    return refuse('Please choose ten years or less: a longer period needs several files.', [
      'from',
      'to',
    ])
  }
  return accepted(range)
}

/** Excludes years that the accountant has typed only in part, such as 0202. */
const isDayOfBusiness = (date: string) =>
  isCalendarDate(date) && date >= '1970-01-02' && date < '2100-01-01'

const refuse = (message: string, fields: RangeRefusal['fields']) =>
  refused({ title: 'No file was made', message, fields })

/** The ranges that accountants usually choose, by name; `today` is the shop's date. */
export function presetRanges(today: string) {
  const month = firstOfMonth(today)
  const year = `${today.slice(0, 4)}-01-01`
  return {
    'This month': { from: month, to: today },
    'Last month': { from: addMonths(month, -1), to: addDays(month, -1) },
    'This year': { from: year, to: today },
    'Last year': { from: addMonths(year, -12), to: addDays(year, -1) },
  } as const satisfies Record<string, DateRange>
}
