import { notifyCustomerEndpoint } from '#contracts/bookings/notify-customer.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

/**
 * Emails the customer of an appointment about its latest change (docs/product.md 12.8). Returns the reason why no email
 * was sent, or undefined when one was. Also returns undefined when the appointment has changed again since: then this
 * email would be out of date.
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
