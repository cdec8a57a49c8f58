import { describe, expect, it } from 'vitest'
import { freeUntilClosing } from './free-until-closing.ts'
import { dailyCapacity } from '#domain/today/daily-capacity.ts'

const bay = {
  id: 'b1',
  name: 'Bay 1',
  is_active: true,
  open: [
    { opensAtMinute: 660, closesAtMinute: 840 },
    { opensAtMinute: 900, closesAtMinute: 1140 },
  ],
}
const day = { day: '2026-11-24', now: '2026-11-24T12:40:00', bays: [bay], bookings: [] }
const booking = {
  bay_id: 'b1',
  state: 'confirmed',
  starts_at: '2026-11-24T15:00:00',
  ends_at: '2026-11-24T17:00:00',
}

describe('freeUntilClosing', () => {
  it('returns, for a bay without appointments, the open minutes between now and closing', () => {
    expect(freeUntilClosing(day)).toEqual([{ name: 'Bay 1', minutes: 80 + 240 }])
  })

  it('subtracts the time in which vehicles occupy a bay, including the time of a vehicle that stays overnight', () => {
    const overnight = {
      ...booking,
      starts_at: '2026-11-23T18:00:00',
      ends_at: '2026-11-24T13:00:00',
    }
    const missed = { ...booking, state: 'no_show', starts_at: '2026-11-24T17:00:00' }
    expect(freeUntilClosing({ ...day, bookings: [booking, overnight, missed] })).toEqual([
      { name: 'Bay 1', minutes: 60 + 120 },
    ])
  })

  it('omits a bay that is switched off', () => {
    expect(freeUntilClosing({ ...day, bays: [{ ...bay, is_active: false }] })).toEqual([])
  })
})

describe('dailyCapacity', () => {
  it('returns how many whole vehicles fit into the open minutes, at 75 minutes for each vehicle', () => {
    expect([0, 74, 75, 1439, 1440].map(dailyCapacity)).toEqual([0, 0, 1, 19, 19])
  })
})
