import type { NewBooking } from '#domain/booking-form.ts'
import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { senderHeaders, type GuardHeaders } from '#web/lib/form-guard.ts'
import { logQuietly } from '#web/lib/log-quietly.ts'
import { getDataService } from '#web/lib/supabase.ts'

/**
 * Asks the server to send the confirmation e-mail (specification, section 7); false when it did not. The
 * server writes only to the address of a booking that exists and is fresh, so true also proves that the
 * booking stands. `guard` is what the booking was inserted with: only its sender is answered.
 */
export async function requestConfirmation(
  row: NewBooking,
  serviceName: string,
  guard: GuardHeaders,
): Promise<boolean> {
  try {
    const data = await getDataService()
    const { data: reply, error } = await data.functions.invoke('send-confirmation-email', {
      timeout: 30_000,
      headers: senderHeaders(guard),
      body: {
        type: 'booking',
        customerName: row.customer_name,
        customerEmail: row.customer_email,
        details: {
          serviceName,
          date: formatLongDate(row.appointment_date),
          time: formatTime(row.appointment_time),
          notes: row.notes,
          phone: row.customer_phone,
          year: row.vehicle_year,
          vehicleMake: row.vehicle_make,
          vehicleModel: row.vehicle_model,
          vehicleColor: row.vehicle_color,
        },
      },
    })
    if (!error && !hasError(reply)) return true
    logQuietly('The confirmation e-mail was not sent', error ?? 'refused')
  } catch (cause) {
    logQuietly('The confirmation e-mail was not asked for', cause)
  }
  return false
}

const hasError = (reply: unknown) =>
  typeof reply === 'object' && reply !== null && 'error' in reply && Boolean(reply.error)
