import { requestData } from '#web/lib/data/request-data.ts'

/** Upper limit of the listed bookings. */
const maxBookings = 20

/**
 * The real open bookings in bays of the sample week, earliest first. They are handed to other bays when the sample week
 * is removed.
 */
export async function listBookingsInSampleBays() {
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .select('id, customer_name, appointment_date, appointment_time, bay:bays!inner(name)')
      .eq('bay.is_sample', true)
      .eq('is_sample', false)
      .is('completed_at', null)
      .order('appointment_date')
      .order('appointment_time')
      .limit(maxBookings),
  )
  return data
}
