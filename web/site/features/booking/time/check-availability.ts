import { storedTime } from '#domain/calendar/clock-time.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'
import type { Service } from '../service/load-services.ts'

/** A date's candidate slots ('HH:mm') for an appointment of a service, which some bays may not be able to do. */
export type SlotQuery = {
  date: string
  service: Pick<Service, 'id' | 'duration_minutes'>
  slots: readonly string[]
}

/**
 * Which of the slots are free: one call for each, all at once. A slot whose call fails is left out; when
 * every call fails this throws, for nothing is known about the date then.
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
