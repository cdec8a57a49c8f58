import { describe, expect, test } from 'vitest'
import type { CustomerHighlights } from '#contracts/customers.ts'
import { formatHighlights } from './customer-highlights.ts'

const nothing: CustomerHighlights = {
  customerId: 'maria',
  vehicleId: 'outback',
  unconfirmedEmails: [],
  noShows: 0,
  lastHere: null,
  ahead: [],
  declined: [],
  openEstimates: [],
}

const booking = (startsAt: string, vehicleId: string) => ({
  id: startsAt,
  startsAt,
  state: 'confirmed',
  service: 'Brake Job',
  vehicleId,
  vehicle: vehicleId === 'outback' ? '2019 Subaru Outback' : '2011 Toyota Tacoma',
  bay: 'Bay 1',
  willCome: false,
  vehicleFacts: { bookingState: 'confirmed', hold: 'none' as const, tasks: [], isPaid: false },
})

const declined = (title: string) => ({
  title,
  cents: 16_980,
  decidedAt: '2026-10-03T20:00:00Z',
  estimateId: 'e',
  number: 'E-0101',
  vehicleId: 'outback',
})

describe('the highlights of a customer', () => {
  test('are empty for a customer without history', () => {
    expect(formatHighlights(nothing)).toEqual([])
  })

  test('list the last visit, the declined jobs and the number of no-shows', () => {
    const highlights = {
      ...nothing,
      lastHere: booking('2026-10-03T13:00:00', 'outback'),
      declined: [declined('Coolant flush'), declined('Cabin filter')],
    }
    expect(formatHighlights({ ...highlights, noShows: 2 })).toEqual([
      'Last visit Oct 3, 2026, Brake Job.',
      'Declined last time: Coolant flush, Cabin filter.',
      '2 no-shows.',
    ])
    expect(formatHighlights({ ...highlights, noShows: 1 })).toContain('1 no-show.')
  })

  test('distinguish appointments of this vehicle from those of another vehicle', () => {
    const highlights = {
      ...nothing,
      ahead: [booking('2026-11-26T13:00:00', 'outback'), booking('2026-12-01T09:30:00', 'tacoma')],
      openEstimates: [
        { id: 'e', number: 'E-0093', state: 'sent', vehicleId: 'outback' },
        { id: 'f', number: 'E-0094', state: 'sent', vehicleId: 'tacoma' },
      ],
    }
    expect(formatHighlights(highlights)).toEqual([
      'This vehicle has another appointment: Nov 26, 2026, 1:00 PM.',
      'Another appointment: Dec 1, 2026, 9:30 AM, 2011 Toyota Tacoma.',
      'This vehicle has an open estimate: E-0093.',
    ])
  })
})
