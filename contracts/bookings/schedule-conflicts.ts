import * as z from 'zod/mini'

/**
 * A future appointment that is outside the opening hours or has no bay, and that staff have neither accepted nor moved.
 */
export const scheduleConflict = z.object({
  booking_id: z.string(),
  appointment_date: z.string(),
  appointment_time: z.string(),
  duration_minutes: z.int(),
  bay_id: z.nullable(z.string()),
  customer_name: z.string(),
  customer_phone: z.string(),
  service_name: z.string(),
  problem: z.enum(['outside_hours', 'no_bay']),
})
export const scheduleConflicts = z.array(scheduleConflict)
export type ScheduleConflict = z.output<typeof scheduleConflict>
