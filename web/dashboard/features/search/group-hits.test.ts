import { expect, test } from 'vitest'
import type { SearchResults } from '#contracts/customers.ts'
import { groupHits } from './group-hits.ts'

const bookings = (many: number): SearchResults['bookings'] =>
  Array.from({ length: many }, (_, at) => ({
    id: `visit ${at}`,
    startsAt: '2026-10-03T13:00:00',
    state: 'completed',
    service: 'Oil Change',
    vehicleId: null,
    vehicle: '',
    bay: null,
    willCome: false,
    vehicleFacts: { bookingState: 'completed', hold: 'none' as const, tasks: [], isPaid: false },
    customerId: null,
    name: 'Maria Delgado',
  }))
const customers = (many: number): SearchResults['customers'] =>
  Array.from({ length: many }, (_, at) => ({
    id: `person ${at}`,
    name: 'Maria Delgado',
    phone: null,
    email: null,
    vehicles: 0,
    noShows: 0,
    lastBookingDate: null,
    nextBookingDate: null,
    quoteRequestedOn: null,
    maybeSame: false,
  }))
const found = (change: Partial<SearchResults>): SearchResults => ({
  customers: [],
  vehicles: [],
  bookings: [],
  documents: [],
  counts: { bookings: 0, documents: 0 },
  ...change,
})
const summaryOf = (groups: ReturnType<typeof groupHits>) =>
  groups.map(({ title, hits, more, note }) => [title, hits.length, more ?? note])

test('the search shows a group of five results without a “more” line', () => {
  const five = found({ bookings: bookings(5), counts: { bookings: 5, documents: 0 } })
  expect(summaryOf(groupHits(five, 'maria'))).toEqual([['Appointments', 5, undefined]])
})

test.each([
  [14, 'All 14'],
  [50, 'All 50'],
  [73, 'First 50 of 73'],
  [100, 'First 50'],
])('the search shows five of %i bookings and the line “%s”', (count, text) => {
  const many = found({ bookings: bookings(6), counts: { bookings: count, documents: 0 } })
  expect(summaryOf(groupHits(many, 'maria'))).toEqual([['Appointments', 5, text]])
})

test('the search shows five customers and “More customers” when a sixth was returned', () => {
  expect(summaryOf(groupHits(found({ customers: customers(6) }), 'maria'))).toEqual([
    ['Customers', 5, 'More customers'],
  ])
})

test('the search shows only the group that the user selected, with a note when the group has too many results to show', () => {
  const all = found({
    customers: customers(6),
    bookings: bookings(14),
    counts: { bookings: 14, documents: 0 },
  })
  expect(summaryOf(groupHits(all, 'maria', 'Appointments'))).toEqual([
    ['Appointments', 14, undefined],
  ])
  const many = found({ bookings: bookings(50), counts: { bookings: 100, documents: 0 } })
  expect(summaryOf(groupHits(many, 'maria', 'Appointments'))).toEqual([
    ['Appointments', 50, 'Showing the first 50. Type more to find the others.'],
  ])
})
