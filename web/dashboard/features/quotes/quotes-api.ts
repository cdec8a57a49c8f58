import { emailDeliveryColumns } from '#contracts/emails/email-delivery.ts'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import type { QuoteEmailRequest } from '#contracts/api/server-functions.ts'
import { replyToQuoteCommand } from '#contracts/reply-to-quote.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { isUuid } from '#web/lib/is-uuid.ts'

const columns = `id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type,
  description, status, created_at, flagged_reasons,
  emails(${emailDeliveryColumns}), quote_email_logs(id, subject, final_body, sent_at),
  estimates(id, number)`

/** The number of quote requests in one page of a list. */
export const quotePageSize = 20

export type QuoteListKind = QuoteRequest['status']

export type QuotePage = { readonly quotes: QuoteRequest[]; readonly total: number }

/**
 * Reads the newest quote requests of a list, and the number of all requests in the list. The page has at most `limit`
 * ordinary requests and at most `limit` that look automated, so that spam never pushes ordinary requests off the page.
 */
export async function listQuotes(kind: QuoteListKind, limit: number): Promise<QuotePage> {
  const [ordinary, automated] = await Promise.all([
    readNewest(kind, false, limit),
    readNewest(kind, true, limit),
  ])
  const oldest = ordinary.quotes.at(-1)?.created_at
  const isWhole = ordinary.quotes.length === ordinary.total
  // If a later page has more ordinary requests, this page leaves out automated-looking requests that are older than its
  // oldest ordinary request. The later page shows them.
  const inRange = automated.quotes.filter(
    ({ created_at }) => isWhole || oldest === undefined || created_at >= oldest,
  )
  return {
    quotes: [...ordinary.quotes, ...inRange].toSorted((a, b) =>
      b.created_at.localeCompare(a.created_at),
    ),
    total: ordinary.total + automated.total,
  }
}

async function readNewest(
  kind: QuoteListKind,
  looksAutomated: boolean,
  limit: number,
): Promise<QuotePage> {
  const { data, count } = await requestData((service) =>
    service
      .from('quote_requests')
      .select(columns, { count: 'exact' })
      .eq('status', kind)
      .eq('looks_automated', looksAutomated)
      .order('created_at', { ascending: false })
      .limit(limit),
  )
  return { quotes: data, total: count }
}

/** Reads a quote request by its id; undefined if the request does not exist or the id is not a UUID. */
export async function findQuote(id: string): Promise<QuoteRequest | undefined> {
  if (!isUuid(id)) return undefined
  const { data } = await requestData((service) =>
    service.from('quote_requests').select(columns).eq('id', id),
  )
  return data[0]
}

/** The confirmed email address of the customer who sent a quote request; null if there is none. */
export async function readQuoteEmail(id: string): Promise<string | null> {
  const { data } = await requestData((service) =>
    service.rpc('read_quote_email', { quote_request_id: id }),
  )
  return data
}

/** Removes the spam flags of a quote request. A reply to the request also removes the flags. */
export async function unflagQuote(id: string): Promise<void> {
  await requestData((service) =>
    service.from('quote_requests').update({ flagged_reasons: [] }).eq('id', id),
  )
}

/** Deletes a quote request, its emails and the delivery logs of these emails. */
export async function deleteQuote(id: string): Promise<void> {
  await requestData((service) => service.from('quote_requests').delete().eq('id', id))
}

/**
 * Emails a reply to a quote request and completes the request. Throws the server's message if the email could not be
 * sent.
 */
export async function sendQuoteReply(reply: QuoteEmailRequest): Promise<void> {
  await runCommand(replyToQuoteCommand, reply)
}
