import { storedTime } from '#domain/calendar/clock-time.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'
import type { Service } from '../service/load-services.ts'

/**
 * The data for a check of one date: the service, and the start times ('HH:mm') to check for a free bay that offers the
 * service.
 */
export type SlotQuery = {
  date: string
  service: Pick<Service, 'id' | 'duration_minutes'>
  slots: readonly string[]
}

/**
 * Returns the free slots, with one parallel request per slot. Leaves out a slot whose request fails. Throws when every
 * request fails, because the date's availability is then unknown.
 */
export async function checkAvailability(
  { date, service, slots }: SlotQuery,
  signal: AbortSignal,
): Promise<string[]> {
  if (slots.length === 0) return []
  const data = await getVisitorService()
  const limited = AbortSignal.any([signal, AbortSignal.timeout(15_000)])
  const results = await Promise.all(
    slots.map(async (slot) => {
      const { data: isFree, error } = await data
        .rpc('is_time_slot_available', {
          service_duration: service.duration_minutes,
          booking_date: date,
          booking_time: storedTime(slot),
          service: service.id,
        })
        .abortSignal(limited)
      return error ? undefined : isFree
    }),
  )
  if (results.every((result) => result === undefined)) {
    throw new Error('No time of this date could be checked.')
  }
  return slots.filter((_, index) => results[index])
}
