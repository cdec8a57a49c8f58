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
  while (await answerOne(answering)) letters += 1
  return letters
}

/** One letter, taken and written in one transaction: a request is answered or waits. */
function answerOne({ database, shop, publicUrl }: Answering): Promise<boolean> {
  return database.transaction(asServer, async (query) => {
    const taken = rowsAs<Omit<LinkedVisit, 'url'> & { email: string }>(
      await query(
        `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
           coalesce(customer_email, '') as email
         from internal.take_link_request()`,
      ),
    )
    const [first, ...more] = await Promise.all(
      taken.map(async (visit) =>
        Object.assign(visit, { url: await urlOf(query, visit.id, publicUrl) }),
      ),
    )
    if (!first) return false
    await queueEmail(query, writeVisitLinks(shop, first.email, [first, ...more], Date.now()))
    return true
  })
}

async function urlOf(query: Query, bookingId: string, publicUrl: string): Promise<string> {
  const url = await findVisitUrl(query, bookingId, publicUrl)
  if (url === undefined) throw new Error('An appointment that was just read has no page')
  return url
}
