import { dayNames } from '#domain/calendar/calendar-date.ts'
import type { OpeningHours, OpeningWeek, Weekday } from '#domain/calendar/opening-hours.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { type ScheduleConflict, scheduleConflicts } from '#contracts/bookings/schedule-conflicts.ts'
import { readVersionedList } from '../kit/versioned-list.ts'
import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import { endBeforeStart } from './special-hours.ts'

/** The weekdays, Monday first. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0] as const satisfies readonly Weekday[]

/**
 * The typed weekly hours: for each weekday, whether the shop is open, and the opening and closing times as minutes
 * after midnight.
 */
export type HoursForm = Readonly<
  Record<`open${Weekday}`, boolean> & Record<`from${Weekday}` | `to${Weekday}`, string>
>

/** The opening hours that the form proposes when the user switches a closed day to open. */
const usual: OpeningHours = { opensAtMinute: 9 * 60, closesAtMinute: 17 * 60 }

const emptyWeek: OpeningWeek = { 0: null, 1: null, 2: null, 3: null, 4: null, 5: null, 6: null }

function hoursForm(week: OpeningWeek): HoursForm {
  const entries = weekdays.flatMap((day) => {
    const { opensAtMinute, closesAtMinute } = week[day] ?? usual
    return [
      [`open${day}`, week[day] !== null],
      [`from${day}`, String(opensAtMinute)],
      [`to${day}`, String(closesAtMinute)],
    ]
  })
  return Object.fromEntries(entries) as HoursForm
}

export const emptyHoursForm = hoursForm(emptyWeek)

/**
 * The typed hours of the week. A day whose closing time is before its opening time counts as closed until the user
 * corrects the times.
 */
export function weekOf(form: HoursForm): OpeningWeek {
  const hours = weekdays.map((day) => {
    const span = {
      opensAtMinute: Number(form[`from${day}`]),
      closesAtMinute: Number(form[`to${day}`]),
    }
    const isOpen = form[`open${day}`] && span.opensAtMinute < span.closesAtMinute
    return [day, isOpen ? span : null] as const
  })
  return Object.fromEntries(hours) as Record<Weekday, OpeningHours | null>
}

/** Returns an error for the closing time of each open day that closes before or when it opens. */
export function checkHours(form: HoursForm): FieldErrors<HoursForm> {
  const wrong = weekdays.filter(
    (day) => form[`open${day}`] && Number(form[`to${day}`]) <= Number(form[`from${day}`]),
  )
  return Object.fromEntries(wrong.map((day) => [`to${day}`, endBeforeStart]))
}

/** The name of the weekday of a field: 'to4' → 'Thursday'. */
export const labelOfHours = (name: keyof HoursForm): string =>
  dayNames[Number(name.slice(-1)) as Weekday]

export async function readHours(): Promise<{ form: HoursForm; version: number }> {
  const { rows, version } = await readVersionedList('hours', async () => {
    const { data } = await requestData((service) => service.from('opening_hours').select())
    return data
  })
  const week = { ...emptyWeek }
  for (const { weekday, opens_minute, closes_minute } of rows)
    week[weekday as Weekday] = { opensAtMinute: opens_minute, closesAtMinute: closes_minute }
  return { form: hoursForm(week), version }
}

/**
 * Saves the weekly hours, or, as a preview, saves nothing. Returns all schedule conflicts (appointments outside of the
 * opening hours or without a bay) that exist with these hours.
 */
export async function saveHours(
  form: HoursForm,
  version: number,
  { isPreview }: { isPreview: boolean },
): Promise<ScheduleConflict[]> {
  const week = weekOf(form)
  const hours = weekdays.flatMap((weekday) => {
    const span = week[weekday]
    return span
      ? [{ weekday, opens_minute: span.opensAtMinute, closes_minute: span.closesAtMinute }]
      : []
  })
  const { data } = await requestData((service) =>
    service.rpc('save_opening_hours', {
      hours,
      seen_version: version,
      is_preview: isPreview,
    }),
  )
  return scheduleConflicts.parse(data)
}
