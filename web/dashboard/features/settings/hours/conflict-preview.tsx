import { useQuery } from '@tanstack/react-query'
import type { ScheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { formatBookedCount } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import { type ClosureForm, type ClosureRow, readClosure } from './special-hours.ts'
import { changeSpecialHours } from './special-hours-api.ts'

type BookedProps = {
  values: ClosureForm
  edited: ClosureRow | undefined
  version: number | undefined
  /**
   * The schedule conflicts (appointments outside of the opening hours or without a bay) that existed before the user
   * typed this closure.
   */
  scheduleConflicts: readonly ScheduleConflict[]
  today: string
}

/**
 * Shows how many appointments would be outside the opening hours because of the typed closure. Shows nothing while the
 * form is invalid.
 */
export function ConflictPreview({
  values,
  edited,
  version,
  scheduleConflicts,
  today,
}: BookedProps) {
  // The reason of a closure cannot cause a conflict. The query key omits the reason, so that typing a reason sends no
  // request.
  const read = readClosure({ ...values, reason: '', isPublic: false }, today)
  const row = read.ok ? read.value : undefined
  const would = useQuery({
    // The query key does not begin with 'settings'. A save refetches all queries with that prefix, and would request a
    // preview for the outdated version of the list of closures.
    queryKey: ['closure-preview', version, edited?.id, row],
    queryFn: async () => {
      if (!row || version === undefined) return []
      const change = { kind: 'save', id: edited?.id ?? null, row } as const
      return changeSpecialHours(change, version, { isPreview: true })
    },
    enabled: row !== undefined && version !== undefined,
    retry: false,
  })
  const current = new Set(scheduleConflicts.map(({ booking_id }) => booking_id))
  const added = would.data?.filter(({ booking_id }) => !current.has(booking_id)).length
  return (
    <span className="muted closure-booked" role="status">
      {row && added !== undefined && bookedText(added)}
    </span>
  )
}

const bookedText = (count: number) =>
  count === 0
    ? 'No appointment would be outside your hours.'
    : `${formatBookedCount(count)} would be outside your hours.`
