import { useMemo } from 'react'
import { isCalendarDate } from '#domain/calendar/calendar-date.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/** The date, or the free slot of a date, for which staff opened the phone booking panel. */
export type PhoneBookingStart = {
  readonly date: string
  readonly time?: string
  readonly bayId?: string
}

/**
 * Opens and closes the phone booking panel. The URL contains the date or free slot of the open panel: `book=2026-11-24`
 * or `book=2026-11-24T10:30&bay=…`. While the panel is closed, `start` is undefined.
 */
export function usePhoneBookingAddress() {
  const panel = usePanel()
  const { book, bay } = panel.shown
  const start = useMemo(() => startOf(book, bay), [book, bay])
  return {
    start,
    open: ({ date, time, bayId }: PhoneBookingStart) => {
      const next = { book: time === undefined ? date : `${date}T${time}`, bay: bayId }
      if (start) panel.replace(next)
      else panel.open(next)
    },
    close: () => panel.close('book', 'bay'),
  }
}

function startOf(book: string | undefined, bayId: string | undefined) {
  const [date = '', time] = book?.split('T') ?? []
  if (!isCalendarDate(date)) return undefined
  const hasTime = time !== undefined && /^\d\d:\d\d$/.test(time)
  return { date, ...(hasTime && { time }), ...(bayId !== undefined && { bayId }) }
}
