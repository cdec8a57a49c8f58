import { requestData } from '#web/lib/data/request-data.ts'
import { type ScheduleConflict, scheduleConflicts } from '#contracts/bookings/schedule-conflicts.ts'
import { readVersionedList } from '../kit/versioned-list.ts'
import type { ClosureRow } from './special-hours.ts'

/** Reads the closures and special openings that end after a day (yyyy-MM-dd), sorted by start. */
export const closuresFrom = (today: string) => ({
  queryKey: ['settings', 'closures', today],
  queryFn: () => readVersionedList('closures', () => listClosures(today)),
})

async function listClosures(today: string): Promise<ClosureRow[]> {
  const { data } = await requestData((service) =>
    service
      .from('special_hours')
      .select('id, starts_at, ends_at, is_open, bay_id, reason, is_public')
      .gt('ends_at', today)
      .order('starts_at')
      .limit(500),
  )
  return data.map((row) => ({
    id: row.id,
    startsAt: row.starts_at.slice(0, 16),
    endsAt: row.ends_at.slice(0, 16),
    isOpen: row.is_open,
    bayId: row.bay_id,
    reason: row.reason,
    isPublic: row.is_public,
  }))
}

/** A change of the list of closures: one closure is added, replaced or removed. */
export type ClosureChange =
  | { readonly kind: 'save'; readonly id: string | null; readonly row: Omit<ClosureRow, 'id'> }
  | { readonly kind: 'remove'; readonly id: string }

/**
 * Saves a change of closures, or, as a preview, saves nothing. Returns all schedule conflicts that exist with this
 * change. Throws TT051 after a version conflict.
 */
export async function changeSpecialHours(
  change: ClosureChange,
  version: number,
  { isPreview }: { isPreview: boolean },
): Promise<ScheduleConflict[]> {
  const { data } = await requestData((service) => {
    const expected = { seen_version: version, is_preview: isPreview }
    if (change.kind === 'remove') {
      return service.rpc('remove_special_hours', { special_hours_id: change.id, ...expected })
    }
    const { row } = change
    return service.rpc('save_special_hours', {
      special_hours_id: change.id,
      starts_at: row.startsAt,
      ends_at: row.endsAt,
      is_open: row.isOpen,
      bay_id: row.bayId,
      reason: row.reason,
      is_public: row.isPublic,
      ...expected,
    })
  })
  return scheduleConflicts.parse(data)
}
