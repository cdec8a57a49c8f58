import { notifyCustomerEndpoint } from '#contracts/bookings/notify-customer.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

/**
 * Writes to the customer of an appointment what has just become of it (docs/product.md 12.8). Returns why no letter was
 * written; undefined when one was, and also when the appointment is another by now: then it is no longer to be told.
 */
export async function notifyCustomer(
  bookingId: string,
  about: 'booked' | 'moved' | 'cancelled',
): Promise<string | undefined> {
  const response = await callAsAdmin(notifyCustomerEndpoint, { bookingId, about })
  if (response.ok || response.refusal.code === 'BOOKING_CHANGED') return undefined
  if (response.refusal.reply.status === 0) return 'The server did not respond.'
  return response.refusal.message || 'Could not send the email.'
}
