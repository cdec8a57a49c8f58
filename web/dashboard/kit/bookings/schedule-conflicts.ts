import type { Database } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

type Row = Database['public']['Views']['schedule_conflicts']['Row']

/** An appointment ahead that lies outside the hours, or in no bay, and that nobody has kept or moved. */
export type ScheduleConflict = { readonly [Column in keyof Row]-?: NonNullable<Row[Column]> } & {
  readonly bay_id: string | null
}

/** Those of all days, soonest first; asked once for all who want to know. */
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
  return data as ScheduleConflict[]
}

/** Lets appointments stand as they are: they are no misfits any more. */
export async function acceptScheduleConflicts(ids: readonly string[]): Promise<void> {
  await requestData((service) =>
    service.rpc('accept_schedule_conflicts', { booking_ids: [...ids] }),
  )
}
