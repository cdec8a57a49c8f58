import type { DayBooking } from '#contracts/bookings/day.ts'
import { type EmailDelivery, isBeingSent } from '#contracts/emails/email-delivery.ts'
import type { EmailKind } from '#contracts/emails/emails.ts'
import { openStates } from '../open-states.ts'

/** Whether somebody misses a letter that failed: one that was true no longer is missed by nobody. */
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

/** Whether an email says if and when an appointment takes place; one about an estimate does not. */
const isAboutAppointment = ({ kind }: EmailDelivery) => aboutAppointment.has(kind)

/** Whether an email that says if and when an appointment takes place is about to be sent. */
export function isNotificationUnderWay(emails: readonly EmailDelivery[]): boolean {
  return isBeingSent(emails.filter(isAboutAppointment))
}

/** What somebody with an address has not heard by letter, ahead of the visit: that they are booked, or are no more. */
export function missingNotification(
  booking: Pick<DayBooking, 'state' | 'starts_at' | 'customer_email'>,
  now: string,
  emails: readonly EmailDelivery[],
): 'booked' | 'cancelled' | undefined {
  const { state, starts_at, customer_email } = booking
  if (customer_email === null || starts_at < now) return undefined
  const heard = emails
    .filter(isAboutAppointment)
    .filter((email) => email.status !== 'failed' || isEmailMissing(email))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]?.kind
  if (state === 'cancelled') return heard === 'booking_cancelled' ? undefined : 'cancelled'
  const hasHeard = heard !== undefined && heard !== 'booking_cancelled'
  return openStates.has(state) && !hasHeard ? 'booked' : undefined
}
