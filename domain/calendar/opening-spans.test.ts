import { assert, array, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeOfMinute } from './clock-time.ts'
import { type Closure, openingsOf, openSpans } from './opening-spans.ts'

const week = {
  1: { opensAtMinute: 660, closesAtMinute: 1140 },
  6: { opensAtMinute: 510, closesAtMinute: 1260 },
}
const closed = (startsAt: string, endsAt: string, bayId: string | null = null): Closure => ({
  startsAt,
  endsAt,
  isOpen: false,
  bayId,
})
const opened = (startsAt: string, endsAt: string): Closure => ({
  ...closed(startsAt, endsAt),
  isOpen: true,
})
const spansOn = (date: string, ...closures: Closure[]) =>
  openSpans(date, { week, closures }, 'bay').map(
    ({ opensAtMinute, closesAtMinute }) =>
      `${timeOfMinute(opensAtMinute)}-${timeOfMinute(closesAtMinute)}`,
  )

// The dates of these tests: 2026-11-23 is a Monday, 2026-11-24 a Tuesday.
describe('openSpans', () => {
  it('returns the weekly hours of a weekday, and an empty list for a weekday without hours', () => {
    expect(spansOn('2026-11-23')).toEqual(['11:00-19:00'])
    expect(spansOn('2026-11-24')).toEqual([])
  })

  it('splits the hours of a day around a closure at midday', () => {
    expect(spansOn('2026-11-23', closed('2026-11-23T14:00', '2026-11-23T15:00'))).toEqual([
      '11:00-14:00',
      '15:00-19:00',
    ])
  })

  it('returns an empty list for every day of a closure of several days, and the usual hours for the day before and after', () => {
    const holiday = closed('2026-11-20T00:00', '2026-11-24T00:00')
    expect(spansOn('2026-11-21', holiday)).toEqual([])
    expect(spansOn('2026-11-23', holiday)).toEqual([])
    expect(spansOn('2026-11-28', holiday)).toEqual(['08:30-21:00'])
    expect(spansOn('2026-11-16', holiday)).toEqual(['11:00-19:00'])
  })

  it('returns the time before a closure on its first day, and the time after the closure on its last day', () => {
    const away = closed('2026-11-21T12:00', '2026-11-23T13:00')
    expect(spansOn('2026-11-21', away)).toEqual(['08:30-12:00'])
    expect(spansOn('2026-11-23', away)).toEqual(['13:00-19:00'])
  })

  it('returns open time for special hours on a closed weekday, and longer open time for special hours that extend a weekday', () => {
    expect(spansOn('2026-11-24', opened('2026-11-24T09:00', '2026-11-24T12:00'))).toEqual([
      '09:00-12:00',
    ])
    expect(spansOn('2026-11-23', opened('2026-11-23T09:00', '2026-11-23T11:00'))).toEqual([
      '09:00-19:00',
    ])
    expect(spansOn('2026-11-24', opened('2026-11-24T20:00', '2026-11-25T00:00'))).toEqual([
      '20:00-24:00',
    ])
  })

  it('returns no open time where special hours and a closure overlap', () => {
    const both = [
      opened('2026-11-24T09:00', '2026-11-24T12:00'),
      closed('2026-11-24T10:00', '2026-11-24T11:00'),
    ]
    expect(spansOn('2026-11-24', ...both)).toEqual(['09:00-10:00', '11:00-12:00'])
    expect(spansOn('2026-11-24', ...both.toReversed())).toEqual(['09:00-10:00', '11:00-12:00'])
  })

  it('removes the open time of one bay, not of the others, for a closure of that bay', () => {
    const calendar = {
      week,
      closures: [closed('2026-11-23T00:00', '2026-11-24T00:00', 'other')],
    }
    expect(openingsOf('2026-11-23', calendar, ['bay', 'other'])).toEqual([[week[1]], []])
    expect(openSpans('2026-11-23', calendar)).toEqual([week[1]])
  })

  it('contains exactly the minutes with weekly or special hours and without a closure', () => {
    const minute = integer({ min: 0, max: 1439 })
    const closures = array(
      record({ day: constantFrom('22', '23', '24'), from: minute, to: minute, isOpen: boolean() }),
      { maxLength: 6 },
    )
    assert(
      property(closures, minute, (list, minute) => {
        const relevant = list
          .filter(({ from, to }) => from < to)
          .map(({ day, from, to, isOpen }) => {
            const [startsAt, endsAt] = [from, to].map(
              (at) => `2026-11-${day}T${timeOfMinute(at)}`,
            ) as [string, string]
            return { startsAt, endsAt, isOpen, bayId: null }
          })
        const covers = ({ startsAt, endsAt }: Closure) => {
          const now = `2026-11-23T${timeOfMinute(minute)}`
          return startsAt <= now && now < endsAt
        }
        const around = relevant.filter(covers)
        const expected =
          !around.some(({ isOpen }) => !isOpen) &&
          (around.length > 0 || (minute >= 660 && minute < 1140))
        const spans = openSpans('2026-11-23', { week, closures: relevant })
        const actual = spans.some(
          ({ opensAtMinute, closesAtMinute }) => opensAtMinute <= minute && minute < closesAtMinute,
        )
        expect(actual).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})
