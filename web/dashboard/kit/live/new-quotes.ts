import { requestData } from '#web/lib/data/request-data.ts'
import { formatNewQuotes, type NewQuote } from './new-quote-text.ts'
import type { Announced } from './announce-records.ts'

/**
 * The maximum number of quote requests to read after an interruption of the live stream. For several requests, the
 * toast states only their number.
 */
const most = 100

/**
 * Announces the quote requests that visitors send. A request that looks automated or belongs to the sample week
 * (invented records for a new shop) is not announced.
 */
export const newQuotes: Announced<NewQuote, string> = {
  what: 'new quote requests',
  idsIn: (event) => (event.name === 'quotes' ? event.data.quotes : undefined),
  createReader,
  format: (quotes, _today, show) => formatNewQuotes(quotes, show),
}

/**
 * Creates the function that reads the quote requests that arrived after its first call. A live event also contains the
 * ids of older quote requests that changed; the function leaves these out.
 */
function createReader() {
  const known = new Set<string>()
  let opened: string | undefined
  return async (ids?: readonly string[]): Promise<NewQuote[]> => {
    if (opened === undefined) {
      opened = await readLatestTime()
      return []
    }
    const found = await listQuotesAfter(opened, ids)
    const received = found.filter(({ id }) => !known.has(id))
    // A quote request that looks automated also counts as known. If staff later remove its spam flags, the quote
    // request is not announced, because staff have already seen it.
    for (const { id } of received) known.add(id)
    return received.filter(({ looks_automated }) => !looks_automated)
  }
}

/** The time at which the latest quote request arrived (ISO 8601). */
async function readLatestTime(): Promise<string> {
  const { data } = await requestData((service) =>
    service
      .from('quote_requests')
      .select('created_at')
      .order('created_at', { ascending: false })
      .limit(1),
  )
  return data[0]?.created_at ?? '1970-01-01'
}

async function listQuotesAfter(time: string, ids: readonly string[] | undefined) {
  const { data } = await requestData((service) => {
    const query = service
      .from('quote_requests')
      .select('id, name, vehicle_year, vehicle_make, vehicle_model, looks_automated')
      .eq('status', 'pending')
      .eq('is_sample', false)
      .gt('created_at', time)
    return (ids ? query.in('id', [...ids]) : query)
      .order('created_at', { ascending: false })
      .limit(most)
  })
  return data
}
