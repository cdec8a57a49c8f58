import type { DayBooking } from '#contracts/bookings/day.ts'
import { type EmailDelivery, isBeingSent } from '#contracts/emails/email-delivery.ts'
import type { EmailKind } from '#contracts/emails/emails.ts'
import { openStates } from '../open-states.ts'

/**
 * Whether the sending of an email failed. False for an email that the server deliberately did not send, because the
 * appointment had changed.
 */
export function isEmailMissing({ status, last_error }: EmailDelivery): boolean {
  return status === 'failed' && !last_error?.startsWith('Not sent: the appointment')
}

const aboutAppointment: ReadonlySet<EmailKind> = new Set([
  'booking_confirmation',
  'confirmation_request',
  'booking_moved',
  'booking_cancelled',
  'booking_reminder',
])

/** Whether an email is about the date or the cancellation of an appointment, unlike an email about an estimate. */
const isAboutAppointment = ({ kind }: EmailDelivery) => aboutAppointment.has(kind)

/** Whether the server is about to send an email about the date or the cancellation of the appointment. */
export function isNotificationUnderWay(emails: readonly EmailDelivery[]): boolean {
  return isBeingSent(emails.filter(isAboutAppointment))
}

/**
 * The notification that the customer of a future appointment has not received: the confirmation of the booking or of
 * the cancellation. Undefined if the customer received the notification or has no email address.
 */
export function missingNotification(
  booking: Pick<DayBooking, 'state' | 'starts_at' | 'customer_email'>,
  now: string,
  emails: readonly EmailDelivery[],
): 'booked' | 'cancelled' | undefined {
  const { state, starts_at, customer_email } = booking
  if (customer_email === null || starts_at < now) return undefined
  const lastSentKind = emails
    .filter(isAboutAppointment)
    .filter((email) => email.status !== 'failed' || isEmailMissing(email))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]?.kind
  if (state === 'cancelled') return lastSentKind === 'booking_cancelled' ? undefined : 'cancelled'
  const knowsBooking = lastSentKind !== undefined && lastSentKind !== 'booking_cancelled'
  return openStates.has(state) && !knowsBooking ? 'booked' : undefined
}
