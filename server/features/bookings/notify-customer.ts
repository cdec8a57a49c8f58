import { bookingCommands, type Notification } from '#contracts/bookings/booking-commands.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Query } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { changeEmails, findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'

/**
 * The delay in seconds before an email about a changed booking is sent. An undo within the delay cancels the email; the
 * undo button is visible for ten seconds.
 */
const undoSeconds = 12

export type NotifyContext = {
  readonly currentShop: CurrentShop
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
}

type About = 'booked' | 'edited' | 'moved' | 'cancelled'
type NotificationRefusal = Extract<Notification, { refusal: unknown }>['refusal']

/**
 * Queues the email about a changed booking and returns the id of the email. A repeated call for the same change
 * queues no second email.
 */
export async function notifyCustomer(
  { currentShop, publicUrl }: NotifyContext,
  query: Query,
  bookingId: string,
  about: About,
): Promise<Result<string, { readonly code: NotificationRefusal }>> {
  const booking = await findChangedBooking(query, bookingId, publicUrl)
  if (!booking) return refused({ code: 'BOOKING_NOT_FOUND' })
  if (booking.customerEmail === '') return refused({ code: 'NO_EMAIL_ADDRESS' })
  if ((about === 'cancelled') !== booking.isCancelled || booking.isOver) {
    return refused({ code: 'BOOKING_CHANGED' })
  }
  // The last email to the customer said that the appointment was cancelled, so this email says that the appointment
  // is restored.
  const emailKind = about === 'moved' && booking.isNotifiedCancelled ? 'restored' : about
  const email = changeEmails[emailKind](currentShop(), booking)
  return accepted(await queueEmail(query, email, undoSeconds))
}

/**
 * Queues the email about a changed booking. Returns the id of the email, or the reason why no email was queued, for
 * example that the booking has no email address. The booking remains changed in either case.
 */
export async function notificationOf(
  context: NotifyContext,
  query: Query,
  bookingId: string,
  about: About,
): Promise<Notification> {
  const queued = await notifyCustomer(context, query, bookingId, about)
  return queued.ok ? { emailId: queued.value } : { refusal: queued.refusal.code }
}

/** Emails the customer about an earlier change of the booking for which staff had sent no email. */
export const notifyCustomerCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.notify, {
    asStaff: async () => accepted(null),
    async asServer(query, { bookingId, about }) {
      const queued = await notifyCustomer(context, query, bookingId, about)
      return queued.ok ? accepted({ emailId: queued.value }) : queued
    },
  })
