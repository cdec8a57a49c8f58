import type { Shop } from '#domain/shop.ts'
import { type LinkedVisit, writeVisitLinks } from '#letters/visit-links.ts'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import { findVisitUrl } from '#server/features/visit/find-visit-url.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { Query } from '#server/platform/database/query.ts'

type Answering = {
  readonly database: Database
  readonly shop: Shop
  /** Where visitors reach the site: letters lead there. */
  readonly publicUrl: string
}

/** Writes to every mailbox that was asked for and has appointments to come. Returns how many letters that were. */
export async function answerLinkRequests(answering: Answering): Promise<number> {
  let letters = 0
  for (;;) {
    const written = await answerOne(answering)
    if (written === 0) return letters
    letters += written
  }
}

/** One request, taken and answered in one transaction: it is answered or waits. Returns how many letters that took. */
function answerOne({ database, shop, publicUrl }: Answering): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const taken = rowsAs<Omit<LinkedVisit, 'url'> & { email: string }>(
      await query(
        `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
           coalesce(customer_email, '') as email
         from internal.take_link_request()`,
      ),
    )
    const visits = await Promise.all(
      taken.map(async (visit) =>
        Object.assign(visit, { url: await urlOf(query, visit.id, publicUrl) }),
      ),
    )
    // What counts as one mailbox may be two to a mail server: a link goes nowhere but where its appointment's letters go.
    const byAddress = Map.groupBy(visits, ({ email }) => email.toLowerCase())
    for (const [first, ...more] of byAddress.values()) {
      if (!first) continue
      await queueEmail(query, writeVisitLinks(shop, first.email, [first, ...more], Date.now()))
    }
    return byAddress.size
  })
}

async function urlOf(query: Query, bookingId: string, publicUrl: string): Promise<string> {
  const url = await findVisitUrl(query, bookingId, publicUrl)
  if (url === undefined) throw new Error('An appointment that was just read has no page')
  return url
}
