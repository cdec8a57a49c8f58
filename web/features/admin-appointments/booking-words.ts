import type { Booking } from '#contracts/bookings.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

const statusTones: Readonly<Record<string, BadgeTone>> = {
  confirmed: 'info',
  pending: 'warn',
  cancelled: 'ring',
}

/** The badge of an open appointment: a known status in words, any other as it is. */
export function statusBadge(status: string): { tone: BadgeTone; label: string } {
  const tone = statusTones[status]
  return tone
    ? { tone, label: status.charAt(0).toUpperCase() + status.slice(1) }
    : { tone: 'neutral', label: status }
}

export function isCompleted(booking: Booking): boolean {
  return booking.completed_at !== null
}

/** '2019 Subaru Outback', with ', Green' behind it; empty when nothing is known. */
export function vehicleLine(booking: Booking, separator = ', '): string {
  const vehicle = [booking.vehicle_year, booking.vehicle_make, booking.vehicle_model]
  return [vehicle.filter(Boolean).join(' '), booking.vehicle_color].filter(Boolean).join(separator)
}
