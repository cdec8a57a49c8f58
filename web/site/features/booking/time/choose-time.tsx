import { useRef, useState } from 'react'
import { bookingWindow } from '#domain/bookings/booking-window.ts'
import type { DayRange } from '#domain/calendar/calendar-month.ts'
import { closedReason } from '#domain/calendar/closed-reason.ts'
import { formatDuration, formatShortDuration } from '#domain/text/duration-text.ts'
import { groupOpeningHours } from '#domain/calendar/opening-hours.ts'
import { calendarOf } from '#domain/calendar/shop-calendar.ts'
import { formatSpecialPeriod, groupSpecialHours } from '#domain/calendar/special-hours.ts'
import { useShop } from '#web/lib/shop.ts'
import { AvailableTimes } from './available-times.tsx'
import { DatePicker } from './date-picker.tsx'
import type { Service } from '../service/load-services.ts'
import { slotCount } from './slot-count.ts'
import { useAvailableSlots } from './use-available-slots.ts'
import { useNow } from './use-now.ts'
import './choose-time.css'

type ChooseTimeProps = {
  service: Service
  date: string | null
  onDate: (date: string) => void
  onTime: (time: string) => void
}

/** Step 2: 'Choose Your Appointment Time' for the chosen service (docs/product.md 2.3). */
export function ChooseTime({ service, date, onDate, onTime }: ChooseTimeProps) {
  const shop = useShop()
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const available = useAvailableSlots(date, service, now)
  const remarkOf = useRemarks(available)
  const range = bookingWindow(now, calendarOf(shop))
  function pick(day: string) {
    onDate(day)
    if (day === date) available.retry()
    heading.current?.focus({ preventScroll: true })
    // On a narrow screen, scrolls to the times, which are below the calendar. On a wide screen they are beside the
    // calendar.
    if (matchMedia('(max-width: 59.99rem)').matches) heading.current?.scrollIntoView()
  }
  return (
    <>
      <div className="chosen-service">
        <h2>Choose Your Appointment Time</h2>
        <b>
          {service.name}, {formatShortDuration(service.duration_minutes)}
        </b>
      </div>
      <div className="date-and-time">
        <section className="card panel" aria-labelledby="date-title">
          <h2 id="date-title">Select a Date</h2>
          <DatePicker
            range={range}
            selected={date}
            remarkOf={remarkOf}
            closedOf={(day) => closedReason(day, shop)}
            onSelect={pick}
          />
          <OpeningHoursLine />
          <ClosedDays range={range} />
        </section>
        <AvailableTimes
          available={available}
          heading={heading}
          onChoose={onTime}
          onRetry={available.retry}
        />
      </div>
      <p className="hint booking-notice">
        We require at least {formatDuration(shop.rules.noticeMinutes)} notice for new bookings.
        Same-day slots within that window will be hidden.
      </p>
    </>
  )
}

/**
 * Stores the number of free times of each date that the visitor has looked at, so that the date picker can state it for
 * screen readers.
 */
function useRemarks(available: ReturnType<typeof useAvailableSlots>) {
  const [freeCounts, setFreeCounts] = useState<Readonly<Record<string, number>>>({})
  if (available.status === 'checked' && freeCounts[available.date] !== available.slots.length) {
    setFreeCounts({ ...freeCounts, [available.date]: available.slots.length })
  }
  return (day: string) => {
    const count = freeCounts[day]
    return count === undefined ? undefined : slotCount(count)
  }
}

/**
 * Lists the closures within the selectable days, because the calendar only disables closed days and does not explain
 * them.
 */
function ClosedDays({ range }: { range: DayRange }) {
  const days = useShop().specialDays.filter(
    ({ date, hours }) => hours.length === 0 && date >= range.first && date <= range.last,
  )
  return groupSpecialHours(days).map((period) => (
    <p key={period.first} className="hint closed-days">
      {formatSpecialPeriod(period)}
    </p>
  ))
}

function OpeningHoursLine() {
  const { week } = useShop()
  const texts = groupOpeningHours(week).map(({ text }) => text)
  return (
    <p className="hint soft-hours">
      <b>Soft Opening Hours:</b>{' '}
      {texts.map((text, index) => (
        <span key={text}>
          <span className="nowrap">
            {text}
            {index < texts.length - 1 && ';'}
          </span>{' '}
        </span>
      ))}
    </p>
  )
}
