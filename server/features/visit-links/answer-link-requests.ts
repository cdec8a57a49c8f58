import type { Shop } from '#domain/shop.ts'
import { type LinkedVisit, writeVisitLinks } from '#letters/visit-links.ts'
import { queueVisitorEmail } from '#server/features/emails/queue-visitor-email.ts'
import { findVisitUrl } from '#server/features/visit/find-visit-url.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { Query } from '#server/platform/database/query.ts'

type Answering = {
  readonly database: Database
  readonly shop: Shop
  /** Where visitors reach the site: letters lead there. */
  readonly publicUrl: string
  /** Whether letters that visitors cause are capped. */
  readonly isCapped: boolean
}

/**
 * Writes to every mailbox that was asked for and has appointments to come, below the caps on what strangers cause. Returns
 * how many letters that were.
 */
export async function answerLinkRequests(answering: Answering): Promise<number> {
  let letters = 0
  for (;;) {
    const answered = await answerOne(answering)
    if (answered === undefined) return letters
    letters += answered
  }
}

/**
 * One request, taken and answered in one transaction: it is answered or waits. Returns how many letters that took, undefined
 * when nobody waits for an answer.
 */
function answerOne(answering: Answering): Promise<number | undefined> {
  const { database, shop, publicUrl } = answering
  return database.transaction(asServer, async (query) => {
    const taken = rowsAs<Omit<LinkedVisit, 'url'> & { email: string }>(
      await query(
        `select id, service_name as "serviceName", appointment_date as date, appointment_time as time,
           coalesce(customer_email, '') as email
         from internal.take_link_request()`,
      ),
    )
    if (taken.length === 0) return undefined
    const visits = await Promise.all(
      taken.map(async (visit) =>
        Object.assign(visit, { url: await urlOf(query, visit.id, publicUrl) }),
      ),
    )
    let letters = 0
    // What counts as one mailbox may be two to a mail server: a link goes nowhere but where its appointment's letters go.
    for (const [first, ...more] of Map.groupBy(visits, ({ email }) =>
      email.toLowerCase(),
    ).values()) {
      if (!first) continue
      const letter = writeVisitLinks(shop, first.email, [first, ...more], Date.now())
      if (await queueVisitorEmail(query, letter, answering)) letters += 1
    }
    return letters
  })
}

async function urlOf(query: Query, bookingId: string, publicUrl: string): Promise<string> {
  const url = await findVisitUrl(query, bookingId, publicUrl)
  if (url === undefined) throw new Error('An appointment that was just read has no page')
  return url
}
