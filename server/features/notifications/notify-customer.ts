import { accepted, refused, type Result } from '#domain/result.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { changeEmails, findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

/**
 * The delay before the email, in which an undo cancels it. The message that offers the undo is visible for ten seconds.
 */
const undoSeconds = 12

type NotifyContext = {
  readonly database: Database
  readonly shop: Shop
  readonly publicUrl: string
}

/** Queues the email about a change of a booking, once for each change, and returns its id. */
export function notifyCustomer(
  { database, shop, publicUrl }: NotifyContext,
  {
    bookingId,
    about,
  }: { readonly bookingId: string; readonly about: 'booked' | 'moved' | 'cancelled' },
): Promise<Result<string, Refusal>> {
  return database.transaction(asServer, async (query) => {
    const booking = await findChangedBooking(query, bookingId, publicUrl)
    if (!booking) return refused({ code: 'BOOKING_NOT_FOUND' })
    if (booking.customerEmail === '') return refused({ code: 'NO_EMAIL_ADDRESS' })
    if ((about === 'cancelled') !== booking.isCancelled || booking.isOver) {
      return refused({ code: 'BOOKING_CHANGED' })
    }
    // The last email was about a cancellation, so this email says that the appointment is restored.
    const emailKind = about === 'moved' && booking.isNotifiedCancelled ? 'restored' : about
    return accepted(await queueEmail(query, changeEmails[emailKind](shop, booking), undoSeconds))
  })
}
