import { describe, expect, test } from 'vitest'
import type { ShopDay } from '#contracts/bookings/day.ts'
import type { TimeCheck } from '#contracts/bookings/phone-bookings.ts'
import { findSlotProblem, slotWarnings } from './slot-problem.ts'

const service = { id: 'brakes', name: 'Brake Job', duration_minutes: 90 }
const slot = { serviceId: 'brakes', date: '2026-11-24', time: '13:00', bayId: 'one' }
const open = [
  { opensAtMinute: 660, closesAtMinute: 840 },
  { opensAtMinute: 900, closesAtMinute: 1140 },
]
const walt = { id: 'walt', customer_name: 'Walt Jensen' }
const day = {
  open,
  bays: [{ id: 'one', name: 'Bay 1', open }],
  closures: [
    {
      bay_id: null,
      is_open: false,
      starts_at: '2026-11-24T14:00:00',
      ends_at: '2026-11-24T15:00:00',
      reason: 'staff meeting',
    },
  ],
  bookings: [{ ...walt, starts_at: '2026-11-24T12:00:00', ends_at: '2026-11-24T13:30:00' }],
} as unknown as ShopDay
const freeCheck: TimeCheck = {
  assigned_bay_id: 'one',
  warnings: [],
  refusal: null,
  in_the_way: [],
  free_times: [],
}
const proposal = { slot, service, check: freeCheck, day }

describe('the problem of a slot in the day view (docs/product.md 12.11)', () => {
  test('is undefined for a free slot, even outside the limits of online booking', () => {
    const check = { ...freeCheck, warnings: ['notice_required', 'too_far_ahead'] }
    expect(findSlotProblem({ ...proposal, check })).toBeUndefined()
    expect(slotWarnings(check)).toEqual(['This time is beyond the online booking window.'])
  })

  test('names the closure that begins before the service ends', () => {
    const check = { ...freeCheck, warnings: ['outside_hours'] }
    expect(findSlotProblem({ ...proposal, check })).toEqual({
      title: '1:00 PM is too short in Bay 1',
      why: 'Brake Job takes until 2:30 PM. The shop is closed from 2:00 PM (staff meeting).',
      isRefused: false,
      field: 'time',
    })
  })

  test('names the opening hours when the shop is closed at the start', () => {
    const early = { ...slot, time: '07:00' }
    const check = { ...freeCheck, warnings: ['outside_hours'] }
    expect(findSlotProblem({ ...proposal, slot: early, check })).toMatchObject({
      title: 'The shop is closed at 7:00 AM',
      why: 'The shop is open 11:00 AM – 2:00 PM and 3:00 PM – 7:00 PM.',
    })
  })

  test('names the booking that occupies the bay or starts before the service ends', () => {
    const check = {
      ...freeCheck,
      assigned_bay_id: null,
      refusal: 'slot_taken',
      in_the_way: ['walt'],
    }
    expect(findSlotProblem({ ...proposal, check })).toEqual({
      title: '1:00 PM is taken in Bay 1',
      why: 'Walt Jensen is booked until 1:30 PM.',
      isRefused: true,
      field: 'time',
    })
    expect(findSlotProblem({ ...proposal, slot: { ...slot, time: '11:00' }, check })).toMatchObject(
      {
        title: '11:00 AM is too short in Bay 1',
        why: 'Brake Job takes until 12:30 PM. Walt Jensen is booked at 12:00 PM.',
      },
    )
  })

  test('names a bay that does not offer the service', () => {
    const check = { ...freeCheck, assigned_bay_id: null, refusal: 'bay_cannot_do_service' }
    expect(findSlotProblem({ ...proposal, check })).toMatchObject({
      title: 'Bay 1 does not do this service',
      isRefused: true,
      field: 'bay',
    })
  })

  test('has a general title when the day’s bookings are not loaded', () => {
    const check = {
      ...freeCheck,
      assigned_bay_id: null,
      refusal: 'slot_taken',
      in_the_way: ['walt'],
    }
    expect(findSlotProblem({ ...proposal, check, day: undefined })).toMatchObject({
      title: '1:00 PM is taken in this bay',
    })
  })
})
