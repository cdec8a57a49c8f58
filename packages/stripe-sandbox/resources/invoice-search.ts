import { invalidRequest } from '../api/api-error.ts'
import type { ListQuery } from '../objects/object-store.ts'
import { fields, integer, required, text } from '../api/params.ts'
import { route } from '../api/route.ts'

// The supported part of the search query language (docs.stripe.com/search): equality clauses joined by AND. As at
// Stripe, the search for an invoice number ignores upper and lower case. The values of the other fields are ids or
// lower-case words.
const clause =
  /^(number|status|customer|currency|metadata\["([^"\\]{1,40})"\])\s*:\s*["']([^"'\\]{0,500})["']$/

/** This search returns current data, whereas the results of Stripe's own search can be up to a minute old. */
const search = route(
  'GET /v1/invoices/search',
  fields({ query: required(text(1000)), limit: integer(1, 100), page: text(255) }),
  async ({ store }, params) => {
    const page = await store.list('invoice', {
      ...parseQuery(params.query),
      limit: params.limit,
      startingAfter: params.page,
    })
    return {
      object: 'search_result',
      data: page.data,
      has_more: page.hasMore,
      next_page: page.hasMore ? (page.data.at(-1)?.id ?? null) : null,
      url: '/v1/invoices/search',
    }
  },
)

export const invoiceSearchRoutes = [search]

function parseQuery(query: string): Pick<ListQuery, 'matching' | 'number'> {
  const matching: Record<string, unknown> = {}
  let number: string | undefined
  const metadata: Record<string, string> = {}
  for (const part of query.trim().split(/\s+and\s+/i)) {
    const [found, field = '', key, value = ''] = clause.exec(part) ?? []
    if (found === undefined) {
      throw invalidRequest(
        'We were unable to parse your search query. The payment sandbox understands `field:"value"` joined by AND.',
        undefined,
        'query',
      )
    }
    if (key !== undefined) metadata[key] = value
    else if (field === 'number') number = value
    else matching[field] = value
  }
  if (Object.keys(metadata).length > 0) matching['metadata'] = metadata
  return { matching, number }
}
