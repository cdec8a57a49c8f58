import { describe, expect, test } from 'vitest'
import { assignSubcolumns, closedSpans, freeSpans, hoursShown, minuteOnDate } from './day-spans.ts'

const hours = (opensAtMinute: number, closesAtMinute: number) => ({ opensAtMinute, closesAtMinute })
const span = (startsAtMinute: number, endsAtMinute: number) => ({ startsAtMinute, endsAtMinute })

describe('minuteOnDate', () => {
  test('returns the minute of the shop’s clock on an ordinary day and on the days when the clock changes', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-24T13:30:00')).toBe(810)
    expect(minuteOnDate('2027-03-14', '2027-03-14T11:00:00')).toBe(660)
  })
  test('returns 0 for an earlier start and 1440 for a later end', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-23T17:00:00')).toBe(0)
    expect(minuteOnDate('2026-11-24', '2026-11-25T09:00:00')).toBe(1440)
  })
})

describe('hoursShown', () => {
  test('covers the shop’s hours and any vehicle outside them, in half hours', () => {
    expect(hoursShown([hours(660, 1260)], [])).toEqual(hours(660, 1260))
    expect(hoursShown([hours(660, 1260)], [span(585, 645), span(1230, 1275)])).toEqual(
      hours(570, 1290),
    )
  })
  test('returns undefined on a day without hours and without vehicles', () => {
    expect(hoursShown([], [])).toBeUndefined()
  })
})

test('closedSpans returns the time between the open spans', () => {
  expect(closedSpans(hours(660, 1140), [hours(660, 840), hours(900, 1140)])).toEqual([
    span(840, 900),
  ])
  expect(closedSpans(hours(660, 1140), [])).toEqual([span(660, 1140)])
})

describe('assignSubcolumns', () => {
  const subcolumns = (spans: ReturnType<typeof span>[]) =>
    assignSubcolumns(spans).map(({ subcolumn, subcolumns: all }) => `${subcolumn + 1} of ${all}`)
  test('gives vehicles that follow each other the full width', () => {
    expect(subcolumns([span(720, 780), span(660, 720)])).toEqual(['1 of 1', '1 of 1'])
  })
  test('divides the width among vehicles that overlap, and reuses a free column', () => {
    expect(subcolumns([span(660, 780), span(690, 720), span(720, 750), span(780, 800)])).toEqual([
      '1 of 2',
      '2 of 2',
      '2 of 2',
      '1 of 1',
    ])
  })
})

describe('freeSpans', () => {
  const open = [hours(660, 840), hours(900, 1140)]
  test('returns the open time between the vehicles', () => {
    expect(freeSpans(open, [span(660, 720), span(780, 960)], 0)).toEqual([
      span(720, 780),
      span(960, 1140),
    ])
  })
  test('leaves out time that has passed', () => {
    expect(freeSpans(open, [], 765)).toEqual([span(765, 840), span(900, 1140)])
    expect(freeSpans(open, [], 1440)).toEqual([])
  })
  test('leaves out slots shorter than 30 minutes', () => {
    expect(freeSpans([hours(660, 720)], [span(660, 691)], 0)).toEqual([])
    expect(freeSpans([hours(660, 720)], [span(660, 690)], 0)).toEqual([span(690, 720)])
  })
})
