import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { ScheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { scheduleConflictsQuery } from '#web/dashboard/kit/bookings/schedule-conflicts.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './schedule-conflicts.css'

type PendingDecision = {
  readonly scheduleConflicts: readonly ScheduleConflict[]
  readonly decide: (goesOn: boolean) => void
}

/**
 * Saves a change of hours or closures and returns all schedule conflicts (appointments outside of the opening hours or
 * without a bay) that exist with the change. With `isPreview`, saves nothing.
 */
type Change = (options: { isPreview: boolean }) => Promise<readonly ScheduleConflict[]>

/**
 * Changes hours or closures. If the change causes new schedule conflicts, a dialog lists the conflicts and asks the
 * user first. `change` resolves to false when the user cancels. The caller must render `question`, which contains the
 * dialog.
 */
export function useScheduleConflictDialog(): {
  change: (change: Change) => Promise<boolean>
  question: ReactNode
} {
  const queries = useQueryClient()
  const [pending, setPending] = useState<PendingDecision>()
  const confirm = (scheduleConflicts: readonly ScheduleConflict[]) =>
    new Promise<boolean>((decide) => setPending({ scheduleConflicts, decide }))
  const decide = (goesOn: boolean) => {
    pending?.decide(goesOn)
    setPending(undefined)
  }
  return {
    async change(change) {
      const added = await addedScheduleConflicts(change)
      if (added.length > 0 && !(await confirm(added))) return false
      await change({ isPreview: false })
      await refetchQueries(queries, 'bookings')
      return true
    },
    question: pending && (
      <Question scheduleConflicts={pending.scheduleConflicts} onDecide={decide} />
    ),
  }
}

/** Returns the schedule conflicts that the change would add to the existing ones. */
async function addedScheduleConflicts(change: Change): Promise<ScheduleConflict[]> {
  const [current, would] = await Promise.all([
    scheduleConflictsQuery.queryFn(),
    change({ isPreview: true }),
  ])
  const ids = new Set(current.map(({ booking_id }) => booking_id))
  return would.filter(({ booking_id }) => !ids.has(booking_id))
}

/** A number of appointments in words: '1 appointment', '2 appointments'. */
export function formatBookedCount(count: number): string {
  return count === 1 ? '1 appointment' : `${count} appointments`
}

function Question(props: {
  scheduleConflicts: readonly ScheduleConflict[]
  onDecide: (goesOn: boolean) => void
}) {
  const { scheduleConflicts, onDecide } = props
  return (
    <Dialog
      open
      size="small"
      title={`${formatBookedCount(scheduleConflicts.length)} would be outside your hours`}
      onClose={() => onDecide(false)}
      footer={
        <>
          <Button level="quiet" data-first-focus onClick={() => onDecide(false)}>
            Cancel
          </Button>
          <Button level="primary" onClick={() => onDecide(true)}>
            Save anyway
          </Button>
        </>
      }
    >
      <p>
        Nothing is moved and no customer is notified. The appointments stay the same and are marked
        until you move or keep them.
      </p>
      <ul className="booked-vehicles">
        {scheduleConflicts.map((scheduleConflict) => (
          <li key={scheduleConflict.booking_id}>
            <b>{scheduleConflict.customer_name}</b>,{' '}
            {formatDayOfYear(scheduleConflict.appointment_date)},{' '}
            {formatTime(scheduleConflict.appointment_time)}, {scheduleConflict.service_name}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
