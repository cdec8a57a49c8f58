import type { Shop } from '#domain/shop/shop.ts'
import { writeAddressQuestion } from '#emails/bookings/address-question.ts'
import { queueVisitorEmail } from '#server/features/emails/outbox/queue-visitor-email.ts'
import { rowsAs } from '#packages/postgres/columns.ts'
import { asServer, type Database } from '#packages/postgres/database.ts'
import { findAddressUrl } from './address-tokens.ts'

/** A run that would write more leaves the rest to the next one, a minute later. */
const mostAtOnce = 20

type QuestionContext = {
  readonly database: Database
  readonly shop: Shop
  /** Where visitors reach the site: emails link there. */
  readonly publicUrl: string
}

type AddressToAsk = {
  bookingId: string
  recipient: string
  serviceName: string
  date: string
  time: string
}

/**
 * Asks customers, at an address of theirs, about other addresses that were typed online in their name. The caps on emails
 * that a stranger can cause apply (decision 14); an email above them is tried again for a day. Returns how many were due.
 */
export function askAboutAddresses({ database, shop, publicUrl }: QuestionContext): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const due = rowsAs<AddressToAsk>(
      await query(
        `select asked.booking_id as "bookingId", recipient_email as recipient, service_name as "serviceName",
           appointment_date as date, appointment_time as time
         from internal.addresses_to_ask($1) asked join public.bookings booking on booking.id = asked.booking_id`,
        [mostAtOnce],
      ),
    )
    for (const question of due) {
      const url = await findAddressUrl(query, question.bookingId, publicUrl)
      await queueVisitorEmail(query, writeAddressQuestion(shop, question, url), { isCapped: true })
    }
    return due.length
  })
}
