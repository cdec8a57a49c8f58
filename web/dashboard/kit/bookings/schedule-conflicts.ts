import { type ScheduleConflict, scheduleConflicts } from '#contracts/bookings/schedule-conflicts.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * The schedule conflicts of all dates, earliest first. All components share this query, so that one request serves
 * them.
 */
export const scheduleConflictsQuery = {
  queryKey: ['bookings', 'schedule-conflicts'],
  queryFn: listScheduleConflicts,
}

async function listScheduleConflicts(): Promise<ScheduleConflict[]> {
  const { data } = await requestData((service) =>
    service
      .from('schedule_conflicts')
      .select()
      .order('appointment_date')
      .order('appointment_time')
      .limit(500),
  )
  return scheduleConflicts.parse(data)
}

/** Accepts schedule conflicts: the appointments keep their times, and the list of conflicts no longer contains them. */
export async function acceptScheduleConflicts(ids: readonly string[]): Promise<void> {
  await requestData((service) =>
    service.rpc('accept_schedule_conflicts', { booking_ids: [...ids] }),
  )
}
