import { useQuery } from '@tanstack/react-query'
import { weekdayOf } from '#domain/calendar/calendar-date.ts'
import { scheduleConflictsQuery } from '#web/dashboard/kit/bookings/schedule-conflicts.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { useScheduleConflictDialog } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import { SettingsRowSection } from '../kit/settings-row-section.tsx'
import type { SettingsRow } from '../kit/use-settings-row.ts'
import { closuresFrom } from './special-hours-api.ts'
import { ClosuresCard } from './closures-card.tsx'
import { touches } from './special-hours.ts'
import { HoursCard } from './hours-card.tsx'
import { HoursPreview } from './hours-preview.tsx'
import {
  checkHours,
  emptyHoursForm,
  type HoursForm,
  labelOfHours,
  readHours,
  saveHours,
} from './hours-row.ts'
import './hours.css'

/** The settings section of the opening hours: the weekly hours, closures and special openings. */
export function HoursSection() {
  const today = useShopToday()
  const { change, question } = useScheduleConflictDialog()
  const scheduleConflicts = useQuery(scheduleConflictsQuery).data ?? []
  const closures = useQuery(closuresFrom(today)).data?.rows ?? []
  const ofTheWeek = scheduleConflicts.filter(
    (scheduleConflict) =>
      scheduleConflict.problem === 'outside_hours' &&
      !closures.some((closure) => touches(closure, scheduleConflict)),
  )
  const row: SettingsRow<HoursForm> = {
    section: 'hours',
    empty: emptyHoursForm,
    read: readHours,
    write: async (form, version) => {
      const isMade = await change((options) => saveHours(form, version, options))
      return isMade ? readHours() : 'declined'
    },
    check: checkHours,
    label: labelOfHours,
    refusals: {},
    effect: 'The website and the available times change immediately.',
  }
  return (
    <>
      <SettingsRowSection
        row={row}
        Preview={HoursPreview}
        more={{
          cards: <ClosuresCard scheduleConflicts={scheduleConflicts} />,
          sections: ['closures'],
        }}
      >
        {({ form, values }) => (
          <HoursCard
            form={form}
            values={values}
            scheduleConflictsOn={(day) =>
              ofTheWeek.filter(({ appointment_date }) => weekdayOf(appointment_date) === day).length
            }
          />
        )}
      </SettingsRowSection>
      {question}
    </>
  )
}
