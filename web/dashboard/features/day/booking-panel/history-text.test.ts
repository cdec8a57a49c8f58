import { describe, expect, it } from 'vitest'
import { type HistoryEntry, formatEvent, formatActor } from './history-text.ts'

const line = (overrides: Partial<HistoryEntry>): HistoryEntry => ({
  id: 1,
  kind: 'booked',
  source: 'counter',
  changed_by_name: 'Sam',
  before: null,
  after: null,
  reason: null,
  happened_at: '2026-11-24T00:10:00Z',
  ...overrides,
})
const changed = (kind: string, before: HistoryEntry['before'], after: HistoryEntry['after']) =>
  formatEvent(line({ kind, before, after }))

describe('an entry of the booking history', () => {
  it('names the booked date, time and bay', () => {
    expect(
      changed('booked', null, { date: '2026-11-24', time: '13:00', minutes: 60, bay: 'Bay 1' }),
    ).toBe('Booked for Nov 24, 1:00 PM, Bay 1')
  })

  it('names only the parts of the slot (date, time, bay, duration) that changed', () => {
    expect(changed('moved', { time: '13:00' }, { time: '15:00' })).toBe(
      'Moved from 1:00 PM to 3:00 PM',
    )
    expect(
      changed('moved', { date: '2026-11-24', bay: 'Bay 1' }, { date: '2026-11-25', bay: null }),
    ).toBe('Moved from Nov 24, Bay 1 to Nov 25, no bay')
    expect(changed('placed', { bay: null }, { bay: 'Bay 2' })).toBe('Placed in Bay 2')
    expect(changed('extended', { minutes: 60 }, { minutes: 90 })).toBe(
      'Extended from 1 h to 1 h 30 min',
    )
  })

  it('names the edited fields, and both the old and the new service', () => {
    expect(changed('edited', null, { edited: ['vehicle', 'phone'] })).toBe('Edited: vehicle, phone')
    expect(
      changed(
        'edited',
        { service: 'Brake check', time: '13:00' },
        { service: 'Clutch', time: '15:00', edited: ['service', 'vehicle'] },
      ),
    ).toBe('Edited: Clutch instead of Brake check, 3:00 PM, vehicle')
  })

  it('names the new state of the booking after an undo or a change of its state', () => {
    expect(changed('undone', { state: 'arrived' }, { state: 'confirmed' })).toBe('Back to Booked')
    expect(changed('changed', { state: 'confirmed' }, { state: 'waiting' })).toBe(
      'Status changed to waiting',
    )
    expect(changed('no_show', { state: 'confirmed' }, { state: 'no_show' })).toBe('No-show')
  })

  it('names the person who made the change, and the time of the change', () => {
    expect(formatActor(line({}), String)).toBe('Sam (staff), Nov 23, 4:10 PM')
    expect(formatActor(line({ source: 'visitor', changed_by_name: 'visitor' }), String)).toBe(
      'On the website, Nov 23, 4:10 PM',
    )
  })
})
