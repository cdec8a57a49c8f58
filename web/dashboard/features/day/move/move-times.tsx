import type { ShopDay } from '#contracts/bookings/day.ts'
import {
  addDays,
  partsOfDate,
  shortDayName,
  formatDayOfYear,
} from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import type { MoveForm } from './use-move-form.ts'

const week = [0, 1, 2, 3, 4, 5, 6]

/** Buttons for seven days, each with its number of free times. */
export function MoveDays({ form }: { form: MoveForm }) {
  return (
    <div className="move-days" role="group" aria-label="Seven days">
      {week.map((nth) => {
        const date = addDays(form.firstDate, nth)
        const free = form.times.data?.filter((time) => time.date === date).length
        const isOpen = form.days?.find(({ day }) => day === date)?.isOpen ?? true
        const text = isOpen ? `${free ?? '…'} free` : 'Closed'
        return (
          <button
            key={date}
            type="button"
            aria-label={`${formatDayOfYear(date)}, ${text}`}
            aria-pressed={date === form.shownDate}
            onClick={() => form.showDate(date)}
          >
            {shortDayName(date)}
            <b>{partsOfDate(date).day}</b>
            <small>{text}</small>
          </button>
        )
      })}
    </div>
  )
}

/**
 * If a bay has more free times than this number, the list shows only the free times at full hours, so that the list
 * stays readable.
 */
const mostTimes = 8

const isFullHour = ({ time }: { time: string }) => time.endsWith(':00')

/** The free times of the selected day by bay. A long list shows only the times at full hours. */
export function MoveTimes({ form, bays }: { form: MoveForm; bays: ShopDay['bays'] }) {
  const { times, shownDate, slot } = form
  if (times.isPending) return <Skeleton className="move-times-skeleton" />
  if (times.isError) {
    return (
      <LoadFailure
        title="The free times could not be loaded."
        onRetry={() => void times.refetch()}
      />
    )
  }
  const ofDay = times.data.filter(({ date }) => date === shownDate)
  if (ofDay.length === 0)
    return <p className="muted">No free time on {formatDayOfYear(shownDate)}.</p>
  return bays.map((bay) => {
    const all = ofDay.filter(({ bay_ids }) => bay_ids.includes(bay.id))
    const ofBay = all.length <= mostTimes ? all : all.filter(isFullHour)
    if (ofBay.length === 0) return null
    return (
      <section key={bay.id} className="move-bay" aria-label={bay.name}>
        <h3>{bay.name}</h3>
        <div className="move-times">
          {ofBay.map(({ date, time }) => (
            <button
              key={time}
              type="button"
              aria-pressed={slot.date === date && slot.time === time && slot.bayId === bay.id}
              onClick={() => form.selectTime({ date, time, bay_ids: [bay.id] })}
            >
              {formatTime(time)}
            </button>
          ))}
        </div>
      </section>
    )
  })
}
