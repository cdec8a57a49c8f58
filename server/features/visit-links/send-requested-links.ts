import type { Shop } from '#domain/shop/shop.ts'
import { type LinkedBooking, writeVisitLinks } from '#emails/bookings/visit-links.ts'
import { queueVisitorEmail } from '#server/features/emails/outbox/queue-visitor-email.ts'
import { findVisitPageUrl } from '#server/features/visit-page/find-visit-page-url.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

type SendLinksContext = {
  readonly database: Database
  readonly shop: Shop
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
  /** Whether the limits on visitor-triggered emails apply. */
  readonly isCapped: boolean
}

/**
 * Handles all requests for links to visit pages. Queues an email with the links for each requested email address that
 * has upcoming appointments, within the limits on visitor-triggered emails. Returns the number of queued emails.
 */
export async function sendRequestedLinks(context: SendLinksContext): Promise<number> {
  let emails = 0
  for (;;) {
    const sent = await sendNextLinks(context)
    if (sent === undefined) return emails
    emails += sent
  }
}

/**
 * Handles the next request for links in a transaction. Returns the number of queued emails; undefined when no
 * request is left.
 */
function sendNextLinks(context: SendLinksContext): Promise<number | undefined> {
  const { database, shop, publicUrl } = context
  return database.transaction(asServer, async (query) => {
    const claimed = rowsAs<Omit<LinkedBooking, 'url'> & { email: string }>(
      await query(
        `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
           coalesce(customer_email, '') as email
         from internal.claim_link_request()`,
      ),
    )
    if (claimed.length === 0) return undefined
    const bookings = await Promise.all(
      claimed.map(async (booking) =>
        Object.assign(booking, { url: await urlOf(query, booking.id, publicUrl) }),
      ),
    )
    let emails = 0
    // The email limits treat similar addresses as one mailbox, although at some mail servers such addresses belong to
    // different people. A link is therefore sent only to the exact email address of its booking.
    for (const [first, ...more] of Map.groupBy(bookings, ({ email }) =>
      email.toLowerCase(),
    ).values()) {
      if (!first) continue
      const email = writeVisitLinks(shop, first.email, [first, ...more], Date.now())
      if (await queueVisitorEmail(query, email, context)) emails += 1
    }
    return emails
  })
}

async function urlOf(query: Query, bookingId: string, publicUrl: string): Promise<string> {
  const url = await findVisitPageUrl(query, bookingId, publicUrl)
  if (url === undefined) throw new Error('An appointment that was just read has no visit page')
  return url
}
