import type { ConfirmationEmailRequest } from '#contracts/api/server-functions.ts'
import type { NewBooking } from '#domain/bookings/booking-form.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'

/**
 * Builds the request for the confirmation email. The request identifies the booking by the booking's data, not by an
 * id.
 */
export function buildConfirmationRequest(
  row: NewBooking,
  serviceName: string,
): ConfirmationEmailRequest {
  return {
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
  }
}
