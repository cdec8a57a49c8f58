import { describe, expect, it } from 'vitest'
import {
  type ClosureForm,
  closureForm,
  type ClosureRow,
  formatDays,
  emptyClosureForm,
  readClosure,
  formatTimes,
  touches,
} from './special-hours.ts'

const today = '2026-11-20'
const read = (input: Partial<ClosureForm>) => readClosure({ ...emptyClosureForm, ...input }, today)
const row = (startsAt: string, endsAt: string, change: Partial<ClosureRow> = {}): ClosureRow => ({
  id: 'a',
  startsAt,
  endsAt,
  isOpen: false,
  bayId: null,
  reason: '',
  isPublic: false,
  ...change,
})

describe('a closure that staff enter', () => {
  it('covers all of its days, including the last one', () => {
    expect(read({ firstDay: '2026-12-28', lastDay: '2026-12-31', reason: ' Inventory ' })).toEqual({
      ok: true,
      value: {
        startsAt: '2026-12-28T00:00',
        endsAt: '2027-01-01T00:00',
        isOpen: false,
        bayId: null,
        reason: 'Inventory',
        isPublic: false,
      },
    })
    expect(read({ firstDay: '2026-12-28' })).toMatchObject({
      value: { endsAt: '2026-12-29T00:00' },
    })
  })

  it('can cover hours of one day, up to midnight', () => {
    const hours = { firstDay: '2026-11-24', isAllDay: false, fromTime: '14:00' }
    expect(read({ ...hours, toTime: '15:00' })).toMatchObject({
      value: { startsAt: '2026-11-24T14:00', endsAt: '2026-11-24T15:00' },
    })
    expect(read({ ...hours, toTime: '24:00' })).toMatchObject({
      value: { endsAt: '2026-11-25T00:00' },
    })
  })

  it('covers only the first day if it is a special opening, even when the hidden field for the last day contains another date', () => {
    const opening = { isOpen: true, firstDay: '2026-11-29', lastDay: '2026-12-05' }
    expect(read({ ...opening, fromTime: '10:00', toTime: '14:00' })).toMatchObject({
      value: { startsAt: '2026-11-29T10:00', endsAt: '2026-11-29T14:00', isOpen: true },
    })
  })

  it.each<[string, Partial<ClosureForm>, keyof ClosureForm, string]>([
    ['no day', {}, 'firstDay', 'Please choose a day.'],
    ['a day that does not exist', { firstDay: '2027-02-29' }, 'firstDay', 'Please choose a day.'],
    [
      'an end before the start',
      { firstDay: '2026-12-02', lastDay: '2026-12-01' },
      'lastDay',
      'The end is before the start.',
    ],
    [
      'an end time that is not after the start time',
      { firstDay: '2026-12-02', isAllDay: false, fromTime: '13:00', toTime: '13:00' },
      'toTime',
      'The end is before the start.',
    ],
    ['a day in the past', { firstDay: '2026-11-19' }, 'firstDay', 'This day is over.'],
    [
      'more than a year',
      { firstDay: '2026-12-01', lastDay: '2028-12-01' },
      'lastDay',
      'A closure can last at most a year.',
    ],
  ])('is refused at its field: %s', (_, input, field, message) => {
    expect(read(input)).toEqual({ ok: false, refusal: { field, message } })
  })

  it('stays the same when the form is filled with an existing closure and saved without a change', () => {
    for (const [from, to] of [
      ['2026-12-28T00:00', '2027-01-01T00:00'],
      ['2026-11-24T14:00', '2026-11-25T00:00'],
      ['2026-11-24T14:00', '2026-11-26T09:15'],
    ] as const) {
      const { id: _, ...rest } = row(from, to, { bayId: 'b', reason: 'x', isPublic: true })
      expect(readClosure(closureForm({ id: 'a', ...rest }), today)).toEqual({
        ok: true,
        value: rest,
      })
    }
  })
})

describe('the text of a closure', () => {
  it.each([
    ['2026-11-26T00:00', '2026-11-27T00:00', 'Thu, Nov 26', 'All day'],
    ['2026-12-28T00:00', '2027-01-01T00:00', 'Mon, Dec 28 – 31', 'All day'],
    ['2026-12-31T00:00', '2027-01-03T00:00', 'Thu, Dec 31 – Sat, Jan 2, 2027', 'All day'],
    ['2026-11-24T14:00', '2026-11-24T15:00', 'Tue, Nov 24', '2:00 PM – 3:00 PM'],
  ])('from %s to %s is “%s, %s”', (from, to, days, times) => {
    expect(formatDays(row(from, to), today)).toBe(days)
    expect(formatTimes(row(from, to))).toBe(times)
  })
})

describe('an appointment', () => {
  const booking = {
    appointment_date: '2026-11-26',
    appointment_time: '13:30:00',
    duration_minutes: 90,
    bay_id: 'b',
  }
  it.each([
    ['on a closed day touches the closure', row('2026-11-26T00:00', '2026-11-27T00:00'), true],
    ['that ends during a closure touches it', row('2026-11-26T14:45', '2026-11-26T16:00'), true],
    [
      'that ends when a closure begins does not touch it',
      row('2026-11-26T15:00', '2026-11-26T16:00'),
      false,
    ],
    [
      'that begins when a closure ends does not touch it',
      row('2026-11-26T12:00', '2026-11-26T13:30'),
      false,
    ],
    [
      'in another bay does not touch the closure of a bay',
      row('2026-11-26T00:00', '2026-11-27T00:00', { bayId: 'c' }),
      false,
    ],
    [
      'does not touch a special opening',
      row('2026-11-26T13:00', '2026-11-26T16:00', { isOpen: true }),
      false,
    ],
  ])('%s', (_, closure, isTouched) => {
    expect(touches(closure, booking)).toBe(isTouched)
  })
})
