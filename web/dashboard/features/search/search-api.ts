import { searchResults } from '#contracts/customers.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import type { RecentRecord } from '#web/dashboard/kit/records/recent-records.ts'
import { groupHits, hitsToRequest } from './group-hits.ts'
import type { GroupTitle, Hit, HitGroup } from './hits.ts'
import { vehicleHit, estimateHit, invoiceHit, customerHit, bookingHit } from './hit-text.ts'

/**
 * Searches all records for a term of at least two characters. Returns a few results of each kind or, with `only`, the
 * maximum number of results of that kind.
 */
export async function searchEverything(term: string, only?: GroupTitle): Promise<HitGroup[]> {
  const { data } = await requestData((service) =>
    service.rpc('search_everything', { term, max_rows: hitsToRequest(only) }),
  )
  return groupHits(searchResults.parse(data), term, only)
}

/**
 * Reads the current data of records that the user opened recently. Returns them in the same order, without records that
 * no longer exist.
 */
export async function findRecentRecords(records: readonly RecentRecord[]): Promise<HitGroup[]> {
  const idsOf = (kind: RecentRecord['kind']) =>
    records.filter((record) => record.kind === kind).map(({ id }) => id)
  const found = await Promise.all(
    Object.entries(readers).map(async ([kind, read]) => {
      const ids = idsOf(kind as RecentRecord['kind'])
      return ids.length === 0 ? [] : read(ids)
    }),
  )
  const hits = found.flat()
  const inOrder = records.flatMap(
    ({ kind, id }) => hits.find((hit) => hit.kind === kind && hit.id === id) ?? [],
  )
  return inOrder.length === 0 ? [] : [{ title: 'Recently opened', hits: inOrder }]
}

const readers: Readonly<Record<RecentRecord['kind'], (ids: string[]) => Promise<Hit[]>>> = {
  customer: async (ids) => {
    const { data } = await requestData((service) =>
      service.from('customers').select('id, name, phone').in('id', ids).is('erased_at', null),
    )
    return data.map((customer) => customerHit(customer))
  },
  vehicle: async (ids) => {
    const { data } = await requestData((service) =>
      service.from('vehicles').select('id, year, make, model, plate').in('id', ids),
    )
    return data.map((vehicle) => vehicleHit(vehicle))
  },
  booking: async (ids) => {
    const { data } = await requestData((service) =>
      service
        .from('bookings')
        .select('id, appointment_date, appointment_time, service_name, customer_name')
        .in('id', ids),
    )
    return data.map((booking) =>
      bookingHit({
        id: booking.id,
        startsAt: `${booking.appointment_date}T${booking.appointment_time}`,
        service: booking.service_name,
        name: booking.customer_name,
      }),
    )
  },
  estimate: async (ids) => {
    const { data } = await requestData((service) =>
      service.from('estimates').select('id, number, customer_name').in('id', ids),
    )
    return data.map(({ id, number, customer_name: name }) => estimateHit({ id, number, name }))
  },
  invoice: async (ids) => {
    const { data } = await requestData((service) =>
      service.from('invoices').select('invoice_id, number, customer_name').in('invoice_id', ids),
    )
    return data.map(({ invoice_id: id, number, customer_name: name }) =>
      invoiceHit({ id, number, name }),
    )
  },
}
