import type { SearchResults } from '#contracts/customers.ts'
import type { GroupTitle, HitGroup } from './hits.ts'
import { vehicleHit, estimateHit, invoiceHit, customerHit, bookingHit } from './hit-text.ts'

/**
 * The number of results that each group shows. The query requests one result more, so that the page knows whether
 * further results exist.
 */
const shownOfEach = 5
/** The maximum number of results that the database returns per group. */
const mostOfOne = 50
/** The number at which the database stops counting results. */
const mostCounted = 100

/**
 * The number of results to request for each group: a few results, or the maximum number if the user chose one group.
 */
export const hitsToRequest = (only: GroupTitle | undefined) => (only ? mostOfOne : shownOfEach + 1)

/**
 * Groups search results by kind. Each group shows a few results, and a line that opens the remaining results. If the
 * user chose one kind, its group shows all results.
 */
export function groupHits(found: SearchResults, term: string, only?: GroupTitle): HitGroup[] {
  const { customers, vehicles, bookings, documents, counts } = found
  const groups: readonly (HitGroup & { count: number | undefined })[] = [
    {
      title: 'Customers',
      hits: customers.map((customer) => customerHit(customer, term)),
      count: undefined,
    },
    {
      title: 'Vehicles',
      hits: vehicles.map((vehicle) => vehicleHit(vehicle, term)),
      count: undefined,
    },
    { title: 'Appointments', hits: bookings.map(bookingHit), count: counts.bookings },
    {
      title: 'Estimates and invoices',
      hits: documents.map(documentHit),
      count: counts.documents,
    },
  ]
  return groups
    .filter(({ title, hits }) => hits.length > 0 && (only ?? title) === title)
    .map(({ title, hits, count }) => {
      if (only) return { title, hits, note: hits.length < mostOfOne ? undefined : truncatedText }
      if (hits.length <= shownOfEach) return { title, hits }
      return { title, hits: hits.slice(0, shownOfEach), more: moreText(title, count) }
    })
}

const truncatedText = `Showing the first ${mostOfOne}. Type more to find the others.`

/** The label of the line that opens more results: 'All 14', 'First 50 of 73', 'First 50', 'More customers'. */
function moreText(title: HitGroup['title'], count: number | undefined): string {
  if (count === undefined) return `More ${title.toLowerCase()}`
  if (count <= mostOfOne) return `All ${count}`
  return count < mostCounted ? `First ${mostOfOne} of ${count}` : `First ${mostOfOne}`
}

const documentHit = (document: SearchResults['documents'][number]) =>
  document.kind === 'estimate' ? estimateHit(document) : invoiceHit(document)
