import { apiErrors } from '#contracts/api/errors.ts'
import { bookingCommands, type Notification } from '#contracts/bookings/booking-commands.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'

/**
 * Emails the customer of an appointment about a change that staff saved without an email (docs/product.md 12.8).
 * Returns the reason if the server sends no email. Returns undefined if the server sends an email, or if the
 * appointment has changed again, because the newer change has its own email.
 */
export async function notifyCustomer(
  bookingId: string,
  about: 'booked' | 'moved' | 'cancelled',
): Promise<string | undefined> {
  try {
    await runCommand(bookingCommands.notify, { bookingId, about })
    return undefined
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    if (error.code === 'BOOKING_CHANGED') return undefined
    return error.message || 'Could not send the email.'
  }
}

/**
 * The reason why a change was saved without an email to the customer; undefined when an email is queued or not needed.
 */
export function notificationProblem(notification: Notification): string | undefined {
  if (!notification || 'emailId' in notification) return undefined
  const { refusal } = notification
  return refusal === 'BOOKING_CHANGED' ? undefined : apiErrors[refusal].message
}
