import { describe, expect, test } from 'vitest'
import { assignSubcolumns, closedSpans, freeSpans, hoursShown, minuteOnDate } from './day-spans.ts'

const hours = (opensAtMinute: number, closesAtMinute: number) => ({ opensAtMinute, closesAtMinute })
const span = (startsAtMinute: number, endsAtMinute: number) => ({ startsAtMinute, endsAtMinute })

describe('The minute of a date', () => {
  test('is the time of the shop’s clock, on 2026-11-24 as on the nights that clocks change', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-24T13:30:00')).toBe(810)
    expect(minuteOnDate('2027-03-14', '2027-03-14T11:00:00')).toBe(660)
  })
  test('is its first or last for a car that came the day before or stays overnight', () => {
    expect(minuteOnDate('2026-11-24', '2026-11-23T17:00:00')).toBe(0)
    expect(minuteOnDate('2026-11-24', '2026-11-25T09:00:00')).toBe(1440)
  })
})

describe('The hours shown', () => {
  test('are those of the shop, longer for a car outside them, in half hours', () => {
    expect(hoursShown([hours(660, 1260)], [])).toEqual(hours(660, 1260))
    expect(hoursShown([hours(660, 1260)], [span(585, 645), span(1230, 1275)])).toEqual(
      hours(570, 1290),
    )
  })
  test('are none where nothing is open and no car comes', () => {
    expect(hoursShown([], [])).toBeUndefined()
  })
})

test('What is closed is what lies between the open spans', () => {
  expect(closedSpans(hours(660, 1140), [hours(660, 840), hours(900, 1140)])).toEqual([
    span(840, 900),
  ])
  expect(closedSpans(hours(660, 1140), [])).toEqual([span(660, 1140)])
})

describe('Cars in one lane', () => {
  const subcolumns = (spans: ReturnType<typeof span>[]) =>
    assignSubcolumns(spans).map(({ subcolumn, subcolumns: all }) => `${subcolumn + 1} of ${all}`)
  test('have its width where they follow each other', () => {
    expect(subcolumns([span(720, 780), span(660, 720)])).toEqual(['1 of 1', '1 of 1'])
  })
  test('share it where they overlap, and a column is used again', () => {
    expect(subcolumns([span(660, 780), span(690, 720), span(720, 750), span(780, 800)])).toEqual([
      '1 of 2',
      '2 of 2',
      '2 of 2',
      '1 of 1',
    ])
  })
})

describe('what may still be booked', () => {
  const open = [hours(660, 840), hours(900, 1140)]
  test('is what the open hours leave between the cars', () => {
    expect(freeSpans(open, [span(660, 720), span(780, 960)], 0)).toEqual([
      span(720, 780),
      span(960, 1140),
    ])
  })
  test('is nothing of what is over', () => {
    expect(freeSpans(open, [], 765)).toEqual([span(765, 840), span(900, 1140)])
    expect(freeSpans(open, [], 1440)).toEqual([])
  })
  test('leaves out what is shorter than half an hour', () => {
    expect(freeSpans([hours(660, 720)], [span(660, 691)], 0)).toEqual([])
    expect(freeSpans([hours(660, 720)], [span(660, 690)], 0)).toEqual([span(690, 720)])
  })
})
