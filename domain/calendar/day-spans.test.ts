import { describe, expect, test } from 'vitest'
import { assignSubcolumns, closedSpans, freeSpans, hoursShown, minuteOnDate } from './day-spans.ts'

const hours = (opensAtMinute: number, closesAtMinute: number) => ({ opensAtMinute, closesAtMinute })
const span = (startsAtMinute: number, endsAtMinute: number) => ({ startsAtMinute, endsAtMinute })

describe('minuteOnDate', () => {
  test('returns the minute that the shop’s clock shows, also on days on which daylight-saving time begins or ends', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-24T13:30:00')).toBe(810)
    expect(minuteOnDate('2027-03-14', '2027-03-14T11:00:00')).toBe(660)
  })
  test('returns 0 for a time on an earlier date and 1440 for a time on a later date', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-23T17:00:00')).toBe(0)
    expect(minuteOnDate('2026-11-24', '2026-11-25T09:00:00')).toBe(1440)
  })
})

describe('hoursShown', () => {
  test('covers the opening hours and the times of vehicles outside the opening hours, rounded outward to half hours', () => {
    expect(hoursShown([hours(660, 1260)], [])).toEqual(hours(660, 1260))
    expect(hoursShown([hours(660, 1260)], [span(585, 645), span(1230, 1275)])).toEqual(
      hours(570, 1290),
    )
  })
  test('returns undefined for a day without opening hours and without vehicles', () => {
    expect(hoursShown([], [])).toBeUndefined()
  })
})

test('closedSpans returns the parts of the shown hours in which the shop is closed', () => {
  expect(closedSpans(hours(660, 1140), [hours(660, 840), hours(900, 1140)])).toEqual([
    span(840, 900),
  ])
  expect(closedSpans(hours(660, 1140), [])).toEqual([span(660, 1140)])
})

describe('assignSubcolumns', () => {
  const subcolumns = (spans: ReturnType<typeof span>[]) =>
    assignSubcolumns(spans).map(({ subcolumn, subcolumns: all }) => `${subcolumn + 1} of ${all}`)
  test('gives the full width to vehicles that do not overlap', () => {
    expect(subcolumns([span(720, 780), span(660, 720)])).toEqual(['1 of 1', '1 of 1'])
  })
  test('divides the width among overlapping vehicles, and reuses a subcolumn that is free again', () => {
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
  test('returns the open time that no vehicle occupies', () => {
    expect(freeSpans(open, [span(660, 720), span(780, 960)], 0)).toEqual([
      span(720, 780),
      span(960, 1140),
    ])
  })
  test('omits open time before the given minute', () => {
    expect(freeSpans(open, [], 765)).toEqual([span(765, 840), span(900, 1140)])
    expect(freeSpans(open, [], 1440)).toEqual([])
  })
  test('omits free slots shorter than 30 minutes', () => {
    expect(freeSpans([hours(660, 720)], [span(660, 691)], 0)).toEqual([])
    expect(freeSpans([hours(660, 720)], [span(660, 690)], 0)).toEqual([span(690, 720)])
  })
})
