import { describe, expect, it } from 'vitest'
import { addMinutes, minutesBetween } from './shop-date-time.ts'

describe('addMinutes and minutesBetween', () => {
  it('calculate across midnight and across the end of a month, forward and backward', () => {
    expect(addMinutes('2026-11-24T13:00:00', 90)).toBe('2026-11-24T14:30')
    expect(addMinutes('2026-11-30T16:00', 18 * 60)).toBe('2026-12-01T10:00')
    expect(addMinutes('2026-12-01T00:15', -30)).toBe('2026-11-30T23:45')
  })

  // Daylight-saving time begins on March 14, 2027, which has no 2:30 AM, and ends on November 7, 2027, on which 1:30
  // AM occurs twice.
  it.each(['2027-03-13', '2027-11-06'])(
    'count the night after %s, in which daylight-saving time begins or ends, like any other night',
    (date) => {
      const start = `${date}T16:00`
      const end = addMinutes(start, 18 * 60)
      expect(end.slice(11)).toBe('10:00')
      expect(minutesBetween(start, end)).toBe(18 * 60)
    },
  )

  it('return negative minutes when the end is before the start', () => {
    expect(minutesBetween('2026-11-24T13:00:00', '2026-11-24T12:45')).toBe(-15)
  })
})
