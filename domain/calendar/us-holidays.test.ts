import { describe, expect, it } from 'vitest'
import { weekdayOf } from './calendar-date.ts'
import { usHolidays } from './us-holidays.ts'

/** The dates on which the holidays are observed, by year, from the lists of the Office of Personnel Management. */
const observed: Record<number, string[]> = {
  2026: [
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-03',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ],
  2027: [
    '2027-01-01',
    '2027-01-18',
    '2027-02-15',
    '2027-05-31',
    '2027-06-18',
    '2027-07-05',
    '2027-09-06',
    '2027-10-11',
    '2027-11-11',
    '2027-11-25',
    '2027-12-24',
  ],
}

describe('the holidays of the United States', () => {
  it.each([2026, 2027])('are observed in %i on the days of the official list', (year) => {
    expect(usHolidays(year).map(({ observedOn }) => observedOn)).toEqual(observed[year])
  })

  it('include New Year’s Day of 2028, a Saturday, in 2027, the year in which it is observed', () => {
    expect(usHolidays(2028)[0]).toEqual({
      name: 'New Year’s Day',
      date: '2028-01-01',
      observedOn: '2027-12-31',
    })
  })

  it('are eleven in every year, in order, and never observed on a weekend', () => {
    for (let year = 2020; year < 2060; year += 1) {
      const holidays = usHolidays(year)
      expect(holidays).toHaveLength(11)
      expect(holidays.map(({ date }) => date)).toEqual(holidays.map(({ date }) => date).toSorted())
      for (const { observedOn } of holidays) expect([0, 6]).not.toContain(weekdayOf(observedOn))
    }
  })
})
