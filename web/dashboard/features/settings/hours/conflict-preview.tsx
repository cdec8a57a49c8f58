import { useQuery } from '@tanstack/react-query'
import type { ScheduleConflict } from '#web/dashboard/kit/bookings/schedule-conflicts.ts'
import { formatBookedCount } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import { type ClosureForm, type ClosureRow, readClosure } from './special-hours.ts'
import { changeSpecialHours } from './special-hours-api.ts'

type BookedProps = {
  values: ClosureForm
  edited: ClosureRow | undefined
  version: number | undefined
  /** Those that lie outside already. */
  scheduleConflicts: readonly ScheduleConflict[]
  today: string
}

/** How many cars the typed closure would leave outside, as long as it can be read. */
export function ConflictPreview({
  values,
  edited,
  version,
  scheduleConflicts,
  today,
}: BookedProps) {
  // The reason keeps nobody outside: typing it asks nothing.
  const read = readClosure({ ...values, reason: '', isPublic: false }, today)
  const row = read.ok ? read.value : undefined
  const would = useQuery({
    // Not among the lists that are read again after a change: asked of a version that is no more.
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
