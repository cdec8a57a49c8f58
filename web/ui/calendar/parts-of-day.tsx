import type { ReactNode } from 'react'
import { type PartOfDay, partOfDay } from '#domain/bookings/time-slots.ts'

const parts: readonly PartOfDay[] = ['Morning', 'Afternoon', 'Evening']

type PartsOfDayProps = { times: readonly string[]; renderTime: (time: string) => ReactNode }

/** The times of a day in groups: morning, afternoon and evening. */
export function PartsOfDay({ times, renderTime }: PartsOfDayProps) {
  return parts.map((part) => {
    const some = times.filter((time) => partOfDay(time) === part)
    if (some.length === 0) return null
    return (
      <div key={part} className="time-slots" role="group" aria-label={part}>
        <p className="part-of-day" aria-hidden="true">
          {part}
        </p>
        {some.map(renderTime)}
      </div>
    )
  })
}
