import { describe, expect, test } from 'vitest'
import type { VehicleRecord } from '#contracts/customers.ts'
import { vehicleHistory } from './vehicle-history.ts'

const today = '2026-11-24'

const vehicle: VehicleRecord = {
  id: 'car',
  version: 1,
  customerId: 'maria',
  year: '2019',
  make: 'Subaru',
  model: 'Outback',
  color: null,
  plate: null,
  vin: null,
  note: null,
  miles: null,
  milesOn: null,
  customer: { id: 'maria', version: 1, name: 'Maria Delgado', phone: null, email: null },
  odometer: [],
  milesAMonth: null,
  bookings: [],
  quotes: [],
  estimates: [],
  invoices: [],
  tasks: [],
}

const booking = (
  id: string,
  startsAt: string,
  more: Partial<VehicleRecord['bookings'][number]> = {},
) => ({
  id,
  startsAt,
  state: 'completed',
  service: 'Oil Change',
  vehicleId: 'car',
  vehicle: '2019 Subaru Outback',
  bay: 'Bay 1',
  willCome: false,
  vehicleFacts: {
    bookingState: more.state ?? 'completed',
    hold: 'none' as const,
    tasks: [],
    isPaid: false,
  },
  internalNote: null,
  miles: null,
  invoices: [],
  ...more,
})

const reading = (id: string, miles: number, readOn: string, bookingId: string | null = null) => ({
  id,
  miles,
  readOn,
  bookingId,
  recordedBy: 'Sam',
})

describe('the history of a vehicle', () => {
  test('begins with the next maintenance, estimated from the average miles per month', () => {
    const driven = { ...vehicle, miles: 71_506, milesOn: today, milesAMonth: 1120 }
    expect(vehicleHistory(driven, today)[0]).toMatchObject({
      timing: 'due',
      miles: 75_000,
      when: 'About Feb 2027',
      title: '75,000 mi maintenance due',
      detail: 'At 1,120 miles a month.',
    })
  })

  test('shows maintenance as due now when the vehicle has probably reached the mileage of the next maintenance', () => {
    const driven = { ...vehicle, miles: 74_900, milesOn: '2026-06-01', milesAMonth: 1000 }
    expect(vehicleHistory(driven, today)[0]?.when).toBe('Due now')
  })

  test('shows no maintenance if the average miles per month are unknown', () => {
    expect(vehicleHistory({ ...vehicle, miles: 71_506, milesOn: today }, today)).toEqual([])
  })

  test('lists declined jobs above completed work', () => {
    const declined = [{ title: 'Coolant flush', cents: 16_980, decidedAt: '2026-11-24T20:00:00Z' }]
    const estimate = {
      id: 'e',
      number: 'E-0101',
      vehicleId: 'car',
      vehicle: '',
      title: 'Front brakes',
      jobs: 2,
      totalCents: 58_217,
      authorizedCents: 41_237,
      state: 'approved',
      createdAt: '2026-11-24T20:00:00Z',
      declined,
    }
    const lines = vehicleHistory(
      { ...vehicle, estimates: [estimate], bookings: [booking('v', '2026-10-03T13:00:00')] },
      today,
    )
    expect(lines.map(({ title, timing }) => [title, timing])).toEqual([
      ['Coolant flush', 'due'],
      ['Oil Change', 'now'],
    ])
    expect(lines[0]).toMatchObject({
      milesLabel: 'Open',
      when: 'Declined Nov 24, 2026',
      detail: '$169.80, in E-0101.',
    })
  })

  test('is sorted latest first, marks the latest past entry, and lists each odometer reading once', () => {
    const lines = vehicleHistory(
      {
        ...vehicle,
        bookings: [
          booking('ahead', '2026-12-01T09:00:00', { state: 'confirmed' }),
          booking('october', '2026-10-03T09:00:00', { miles: 69_980 }),
          booking('missed', '2026-08-12T09:00:00', { state: 'no_show' }),
        ],
        odometer: [
          reading('alone', 65_000, '2026-09-01'),
          reading('r', 69_980, '2026-10-03', 'october'),
        ],
      },
      today,
    )
    expect(lines.map(({ id, timing, miles }) => [id, timing, miles])).toEqual([
      ['ahead', 'past', undefined],
      ['october', 'now', 69_980],
      ['alone', 'past', 65_000],
      ['missed', 'past', undefined],
    ])
    expect(lines[0]?.badge?.label).toBe('Booked')
    expect(lines[1]?.badge).toBeUndefined()
    expect(lines[3]).toMatchObject({ badge: { label: 'No-show' }, detail: 'No-show' })
  })
})
