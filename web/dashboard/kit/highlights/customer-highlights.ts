import { type CustomerHighlights, customerHighlights, searchResults } from '#contracts/customers.ts'
import { isSamePhone } from '#domain/bookings/phone-booking-form.ts'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * Identifies the customer whose highlights are read: by an appointment, by an estimate, or by the name and phone number
 * of a caller.
 */
export type HighlightsSubject =
  | { readonly bookingId: string }
  | { readonly estimateId: string; readonly bookingId: string | null }
  | { readonly name: string; readonly phone: string }

/**
 * Reads the highlights of a customer: facts for staff, such as the last visit and declined jobs. Returns undefined if
 * no customer matches.
 */
export async function readCustomerHighlights(
  about: HighlightsSubject,
): Promise<CustomerHighlights | undefined> {
  const bookingId = 'bookingId' in about ? about.bookingId : null
  const customerId = bookingId ? undefined : await findCustomer(about)
  if (!bookingId && !customerId) return undefined
  const { data } = await requestData((service) =>
    service.rpc(
      'read_customer_highlights',
      bookingId ? { booking_id: bookingId } : { customer_id: customerId ?? '' },
    ),
  )
  const highlights = customerHighlights.parse(data)
  if ('estimateId' in about) return withoutEstimate(highlights, about.estimateId)
  // The phone booking panel already shows the last visit and the next appointments, so the highlights leave them out.
  return 'name' in about ? { ...highlights, lastHere: null, ahead: [] } : highlights
}

async function findCustomer(about: HighlightsSubject): Promise<string | undefined> {
  if ('name' in about) {
    const { name, phone } = about
    const { data } = await requestData((service) =>
      service.rpc('search_everything', { term: phone || name }),
    )
    return searchResults
      .parse(data)
      .customers.find(
        (customer) => customer.name === name && isSamePhone(customer.phone ?? '', phone),
      )?.id
  }
  if (!('estimateId' in about)) return undefined
  const { data } = await requestData((service) =>
    service.from('estimates').select('customer_id').eq('id', about.estimateId),
  )
  return data[0]?.customer_id ?? undefined
}

/**
 * Removes one estimate and its declined jobs from the highlights. The page of this estimate shows the highlights and
 * already contains the jobs.
 */
const withoutEstimate = (
  highlights: CustomerHighlights,
  estimateId: string,
): CustomerHighlights => ({
  ...highlights,
  declined: highlights.declined.filter((job) => job.estimateId !== estimateId),
  openEstimates: highlights.openEstimates.filter(({ id }) => id !== estimateId),
})

/**
 * The highlights as sentences: 'Last visit Oct 3, 2026, Brake Job.', 'Declined last time: Coolant flush.', '2
 * no-shows.', 'This vehicle has another appointment: Nov 26, 2026, 1:00 PM.'
 */
export function formatHighlights(highlights: CustomerHighlights): string[] {
  const { lastHere, declined, noShows, ahead, openEstimates, vehicleId } = highlights
  const isThisVehicle = (id: string | null) => vehicleId !== null && id === vehicleId
  return [
    lastHere &&
      `Last visit ${formatMediumDate(lastHere.startsAt.slice(0, 10))}, ${lastHere.service}.`,
    declined.length > 0 && `Declined last time: ${declined.map(({ title }) => title).join(', ')}.`,
    noShows > 0 && `${noShows} ${noShows === 1 ? 'no-show' : 'no-shows'}.`,
    ...ahead.map((booking) => {
      const when = `${formatMediumDate(booking.startsAt.slice(0, 10))}, ${formatTime(booking.startsAt.slice(11, 16))}`
      return isThisVehicle(booking.vehicleId)
        ? `This vehicle has another appointment: ${when}.`
        : `Another appointment: ${[when, booking.vehicle].filter(Boolean).join(', ')}.`
    }),
    ...openEstimates
      .filter((estimate) => isThisVehicle(estimate.vehicleId))
      .map(({ number }) => `This vehicle has an open estimate: ${number}.`),
  ].filter((sentence) => typeof sentence === 'string')
}
