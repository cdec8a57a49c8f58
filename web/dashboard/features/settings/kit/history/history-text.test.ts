import { describe, expect, test } from 'vitest'
import type { HistoryLine } from './history-api.ts'
import { formatChanges, formatSubject } from './history-text.ts'

const line = (text: Partial<HistoryLine>): HistoryLine => ({
  id: 1,
  section: 'rules',
  subject: '',
  action: 'changed',
  before: null,
  after: null,
  changed_by_name: 'admin',
  changed_at: '2026-11-24T20:38:00Z',
  ...text,
})

describe('an entry of the settings history', () => {
  test('formats durations, times and on/off values', () => {
    const text = line({
      before: { reminder_time: '17:00:00', notice_minutes: 120, online_booking_paused: false },
      after: { reminder_time: '08:30:00', notice_minutes: 90, online_booking_paused: true },
    })
    expect(formatChanges(text)).toEqual([
      { label: 'Notice', from: '2 hours', to: '1 hour and 30 minutes' },
      { label: 'Reminder, the day before', from: '5:00 PM', to: '8:30 AM' },
      { label: 'Online booking paused', from: 'no', to: 'yes' },
    ])
  })

  test('names a column by its current name, even when the column was renamed after the entry was written', () => {
    const line1 = { before: { horizon_days: 30 }, after: { horizon_days: 60 } }
    const line2 = { before: { booking_window_days: 30 }, after: { booking_window_days: 60 } }
    const expected = [{ label: 'Booking window', from: '30 days', to: '60 days' }]
    expect(formatChanges(line(line1))).toEqual(expected)
    expect(formatChanges(line(line2))).toEqual(expected)
    const shop = line({ section: 'shop', before: { lead: 'Old' }, after: { lead: 'New' } })
    expect(formatChanges(shop)).toEqual([{ label: 'Description', from: 'Old', to: 'New' }])
  })

  test('names the weekday whose hours changed', () => {
    const text = line({
      section: 'hours',
      subject: '1',
      before: { opens_minute: 660 },
      after: { opens_minute: 600 },
    })
    expect(formatSubject(text)).toBe('Monday')
    expect(formatChanges(text)).toEqual([{ label: 'Opens', from: '11:00 AM', to: '10:00 AM' }])
  })

  test('names a tax rate by its first day', () => {
    const text = line({
      section: 'estimates',
      subject: '2027-01-01',
      action: 'added',
      after: { rate: 92_500, effective_from: '2027-01-01' },
    })
    expect(formatSubject(text)).toBe('Sales tax from January 1, 2027')
    expect(formatChanges(text)).toEqual([{ label: 'Sales tax', from: null, to: '9.25%' }])
  })

  test('shows the times of a closure in shop time', () => {
    const text = line({
      section: 'closures',
      subject: 'Thanksgiving',
      action: 'added',
      after: {
        starts_at: '2026-11-26T00:00:00',
        is_open: false,
        bay_id: 'b1',
        reason: 'Thanksgiving',
      },
    })
    expect(formatChanges(text)).toEqual([
      { label: 'From', from: null, to: 'November 26, 2026, 12:00 AM' },
      { label: 'Kind', from: null, to: 'closure' },
      { label: 'Reason', from: null, to: 'Thanksgiving' },
    ])
  })

  test('names the service to which a bay is limited', () => {
    const text = line({
      section: 'bays',
      subject: 'Rack',
      before: { bay_id: 'b1', service: 'Brake Job' },
    })
    expect(formatChanges(text)).toEqual([{ label: 'Reserved for', from: 'Brake Job', to: null }])
  })

  test('formats phone numbers, and shows an empty value as ’none’', () => {
    const text = line({
      section: 'shop',
      before: { phone: '+16505550142', tagline: '' },
      after: { phone: '+16505550124', tagline: 'Done today.' },
    })
    expect(formatChanges(text)).toEqual([
      { label: 'Tagline', from: null, to: 'Done today.' },
      { label: 'Shop phone', from: '(650) 555-0142', to: '(650) 555-0124' },
    ])
  })

  test('omits internal columns', () => {
    expect(
      formatChanges(line({ section: 'bays', before: { position: 1 }, after: { position: 2 } })),
    ).toEqual([])
  })
})
