import { invalidRequest } from '../api/api-error.ts'
import type { ListQuery } from '../objects/object-store.ts'
import { fields, integer, required, text } from '../api/params.ts'
import { route } from '../api/route.ts'

// The part of the search language that is understood: clauses of equality, joined by AND. As at the
// processor (docs.stripe.com/search), a number is found in any case; the other fields only take values in
// lower case or ids.
const clause =
  /^(number|status|customer|currency|metadata\["([^"\\]{1,40})"\])\s*:\s*["']([^"'\\]{0,500})["']$/

/** Unlike the processor's, this index is never behind. */
const search = route(
  'GET /v1/invoices/search',
  fields({ query: required(text(1000)), limit: integer(1, 100), page: text(255) }),
  async ({ store }, params) => {
    const page = await store.list('invoice', {
      ...wantedBy(params.query),
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

function wantedBy(query: string): Pick<ListQuery, 'matching' | 'number'> {
  const matching: Record<string, unknown> = {}
  let number: string | undefined
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
    if (key !== undefined) wanted[key] = value
    else if (field === 'number') number = value
    else matching[field] = value
  }
  if (Object.keys(wanted).length > 0) matching['metadata'] = wanted
  return { matching, number }
}
