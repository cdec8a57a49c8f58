import { addDays } from '#domain/calendar/calendar-date.ts'
import { usHolidays } from '#domain/calendar/us-holidays.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type ClosureRow, formatDays, coversWholeDays } from './special-hours.ts'
import type { ClosureChange } from './special-hours-api.ts'

type Holiday = { readonly name: string; readonly date: string }

/**
 * Returns the remaining holidays of this year and the holidays of next year. A holiday observed on another day is
 * listed with both days.
 */
function holidaysFrom(today: string): Holiday[] {
  const year = Number(today.slice(0, 4))
  const holidays = [year, year + 1].flatMap(usHolidays)
  const observed = holidays
    .filter(({ date, observedOn }) => date !== observedOn)
    .map(({ name, observedOn }) => ({ name: `${name} (observed)`, date: observedOn }))
  return [...holidays, ...observed]
    .filter(({ date }) => date >= today)
    .toSorted((a, b) => a.date.localeCompare(b.date))
}

type Props = {
  rows: readonly ClosureRow[]
  today: string
  isBusy: boolean
  onMake: (request: { change: ClosureChange; title: string }) => Promise<boolean>
}

/** A button for each public holiday. Pressing it closes the shop on that day; pressing it again removes the closure. */
export function HolidayButtons({ rows, today, isBusy, onMake }: Props) {
  function press({ name, date }: Holiday, closing: ClosureRow | undefined) {
    if (closing && !isOfDay(closing, date)) {
      const days = formatDays(closing, today)
      return toast({
        title: 'Part of a longer closure',
        description: `Change the closure of ${days}.`,
      })
    }
    const change: ClosureChange = closing
      ? { kind: 'remove', id: closing.id }
      : { kind: 'save', id: null, row: closureOn(date, name) }
    const title = closing ? `Open on ${name}` : `Closed on ${name}`
    void onMake({ change, title })
  }
  return (
    <>
      <h4 className="holidays-title" id="holidays-title">
        US holidays
      </h4>
      <div className="holidays" role="group" aria-labelledby="holidays-title">
        {holidaysFrom(today).map((holiday) => {
          const closing = rows.find((row) => closes(row, holiday.date))
          return (
            <button
              key={holiday.name + holiday.date}
              type="button"
              aria-pressed={closing !== undefined}
              // A disabled button would lose the focus, so the button uses aria-disabled during a save.
              aria-disabled={isBusy}
              onClick={() => !isBusy && press(holiday, closing)}
            >
              <b>{holiday.name}</b>
              <span>{formatDays(closureOn(holiday.date, ''), today)}</span>
            </button>
          )
        })}
      </div>
    </>
  )
}

const closureOn = (date: string, reason: string) => ({
  startsAt: `${date}T00:00`,
  endsAt: `${addDays(date, 1)}T00:00`,
  isOpen: false,
  bayId: null,
  reason,
  isPublic: true,
})

/** Whether this closure closes the whole shop for the whole day. */
function closes(row: ClosureRow, date: string): boolean {
  const { startsAt, endsAt } = closureOn(date, '')
  return !row.isOpen && row.bayId === null && row.startsAt <= startsAt && row.endsAt >= endsAt
}

const isOfDay = (row: ClosureRow, date: string) =>
  coversWholeDays(row) &&
  row.startsAt.startsWith(date) &&
  row.endsAt === `${addDays(date, 1)}T00:00`
