import { addDays } from '#domain/calendar/calendar-date.ts'
import { addMinutes } from '#domain/calendar/shop-date-time.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The maximum time, in days, that an appointment occupies its bay (docs/product.md 12.5). */
const longestDays = 14

/**
 * Reads the real appointments in the bays of the sample week (invented records for a new shop), earliest first. When
 * staff remove the sample week, these appointments move to other bays. Leaves out appointments that have ended, were
 * cancelled or were missed.
 */
export async function listBookingsInSampleBays() {
  const now = shopClock(new Date())
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .select(
        'id, customer_name, appointment_date, appointment_time, duration_minutes, bay:bays!inner(name)',
      )
      .eq('bay.is_sample', true)
      .eq('is_sample', false)
      .is('completed_at', null)
      .not('status', 'in', '(cancelled,not_confirmed,no_show)')
      .gte('appointment_date', addDays(now.date, -longestDays))
      .order('appointment_date')
      .order('appointment_time'),
  )
  return data.filter(
    ({ appointment_date, appointment_time, duration_minutes }) =>
      addMinutes(`${appointment_date}T${appointment_time.slice(0, 5)}`, duration_minutes) >
      `${now.date}T${now.time.slice(0, 5)}`,
  )
}
