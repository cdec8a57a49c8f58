import type { Shop } from '#domain/shop/shop.ts'
import { writeAddressQuestion } from '#emails/bookings/address-question.ts'
import { queueVisitorEmail } from '#server/features/emails/outbox/queue-visitor-email.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { findAddressUrl } from './address-tokens.ts'

/** The maximum number of emails per run of the job. The next run, a minute later, sends the rest. */
const mostAtOnce = 20

type QuestionContext = {
  readonly database: Database
  readonly shop: Shop
  /** The public URL of the site, for links in emails. */
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
 * Finds online bookings whose email address is not on the customer's record. For each booking, sends an email to an
 * address on the record and asks whether the address of the booking also belongs to the customer. The limits on
 * visitor-triggered emails apply (docs/decisions/0014); an email that exceeds a limit is retried for a day. Returns the
 * number of bookings for which an email was due.
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
