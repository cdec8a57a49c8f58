import { invalidRequest } from '../api/api-error.ts'
import { fields, integer, required, text } from '../api/params.ts'
import { route } from '../api/route.ts'

// The part of the search language that is understood: clauses of equality, joined by AND.
const clause =
  /^(number|status|customer|currency|metadata\["([^"\\]{1,40})"\])\s*:\s*["']([^"'\\]{0,500})["']$/

/** Unlike the processor's, this index is never behind. */
const search = route(
  'GET /v1/invoices/search',
  fields({ query: required(text(1000)), limit: integer(1, 100), page: text(255) }),
  async ({ store }, params) => {
    const page = await store.list('invoice', {
      matching: matchingOf(params.query),
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

function matchingOf(query: string): Record<string, unknown> {
  const matching: Record<string, unknown> = {}
  const wanted: Record<string, string> = {}
  for (const part of query.trim().split(/\s+and\s+/i)) {
    const [found, field = '', key, value = ''] = clause.exec(part) ?? []
    if (found === undefined) {
      throw invalidRequest(
        'We were unable to parse your search query. The payment sandbox understands `field:"value"` joined by AND.',
        undefined,
        'query',
      )
    }
    if (key === undefined) matching[field] = value
    else wanted[key] = value
  }
  return Object.keys(wanted).length > 0 ? { ...matching, metadata: wanted } : matching
}
