import { isBeingSent } from '#contracts/emails/email-delivery.ts'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'
import { readAppointment } from './day-api.ts'

/**
 * The interval, in milliseconds, at which a booking is refetched while the server is sending an email about the
 * booking.
 */
const watchMs = 5_000

/** One booking with its emails and tasks; null if the booking was deleted. */
export function useAppointment(id: string | undefined) {
  return useRecord('bookings', id, readAppointment, {
    refetchMs: (booking) => (isBeingSent(booking?.emails ?? []) ? watchMs : false),
  })
}
