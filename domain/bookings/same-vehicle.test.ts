import { describe, expect, test } from 'vitest'
import { findBookingsOfVehicle, findOtherBookingsOfVehicle } from './same-vehicle.ts'

const booking = (id: string, from: string, to: string, state = 'confirmed') => ({
  id,
  vehicle_id: 'outback' as string | null,
  starts_at: `2026-11-24T${from}:00`,
  ends_at: `2026-11-24T${to}:00`,
  vehicle_facts: { bookingState: state, hold: 'none' as const, tasks: [], isPaid: false },
})
const brakes = booking('brakes', '11:00', '12:00')

const othersOf = (other: typeof brakes) =>
  findOtherBookingsOfVehicle([brakes, other], brakes).map(({ id }) => id)

describe('the search for other bookings of the same vehicle', () => {
  test('returns bookings that overlap with the given booking by at least one minute', () => {
    expect(othersOf(booking('oil', '11:59', '12:30'))).toEqual(['oil'])
    expect(othersOf(booking('oil', '10:00', '13:00'))).toEqual(['oil'])
    expect(othersOf(booking('oil', '12:00', '12:30'))).toEqual([])
    expect(othersOf(booking('oil', '10:30', '11:00'))).toEqual([])
  })

  test('returns no booking that is completed, cancelled, a no-show or not confirmed', () => {
    for (const state of ['confirmed', 'arrived', 'in_work', 'called back']) {
      expect(othersOf(booking('oil', '11:30', '12:30', state))).toEqual(['oil'])
    }
    for (const state of ['completed', 'cancelled', 'no_show', 'not_confirmed']) {
      expect(othersOf(booking('oil', '11:30', '12:30', state))).toEqual([])
      const closed = booking('closed', '11:30', '12:30', state)
      expect(findOtherBookingsOfVehicle([brakes, closed], closed)).toEqual([])
    }
  })

  test('returns bookings of the same vehicle only, and none if the vehicle is unknown', () => {
    expect(othersOf({ ...booking('oil', '11:30', '12:30'), vehicle_id: 'tacoma' })).toEqual([])
    const unknown = { ...brakes, vehicle_id: null }
    const other = { ...booking('oil', '11:30', '12:30'), vehicle_id: null }
    expect(findOtherBookingsOfVehicle([unknown, other], unknown)).toEqual([])
  })

  test('returns the overlapping bookings of a new booking that is not saved yet', () => {
    const { vehicle_id, starts_at, ends_at } = booking('new', '11:30', '12:30')
    expect(findBookingsOfVehicle([brakes], { vehicle_id, starts_at, ends_at })).toEqual([brakes])
  })
})
