import { describe, expect, test } from 'vitest'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { listDayItems } from './day-list-items.ts'
import { layOutDay } from './day-layout.ts'

const usual = { opensAtMinute: 660, closesAtMinute: 1140 }

const booking = (name: string, from: string, to: string, more: Partial<DayBooking> = {}) =>
  ({
    id: name,
    customer_name: name,
    starts_at: from.includes('T') ? from : `2026-11-24T${from}:00`,
    ends_at: to.includes('T') ? to : `2026-11-24T${to}:00`,
    bay_id: 'one',
    state: 'confirmed',
    will_come: false,
    held_until: null,
    ...more,
  }) as DayBooking

const bay = (id: string, name: string, more = {}) => ({
  id,
  name,
  position: 1,
  is_active: true,
  technician: null,
  service_ids: null,
  open: [usual],
  ...more,
})

const day = (more: Partial<ShopDay> = {}): ShopDay => ({
  day: '2026-11-24',
  now: '2026-11-24T12:40:00',
  last_event_id: 0,
  open: [usual],
  bays: [bay('one', 'Bay 1'), bay('two', 'Bay 2')],
  closures: [],
  bookings: [],
  ...more,
})

const names = (blocks: readonly { booking: DayBooking }[] = []) =>
  blocks.map((block) => block.booking.customer_name)

describe('layOutDay', () => {
  test('places each booking in the column of its bay, and bookings without a bay in the last column', () => {
    const { columns } = layOutDay(
      day({
        bookings: [
          booking('Priya', '11:00', '12:00'),
          booking('Sam', '15:30', '16:00', { bay_id: null }),
        ],
      }),
      usual,
    )
    expect(columns.map(({ name, blocks }) => [name, names(blocks)])).toEqual([
      ['Bay 1', ['Priya']],
      ['Bay 2', []],
      ['No bay', ['Sam']],
    ])
  })

  test('separates cancelled bookings from the displayed blocks, and counts no booked minutes for a no-show', () => {
    const { blocks, inactive, columns } = layOutDay(
      day({
        bookings: [
          booking('Gone', '11:00', '12:00', { state: 'cancelled' }),
          booking('Luis', '13:00', '14:00', { state: 'no_show' }),
        ],
      }),
      usual,
    )
    expect(names(blocks)).toEqual(['Luis'])
    expect(names(inactive)).toEqual(['Gone'])
    expect(columns[0]?.load.bookedMinutes).toBe(0)
  })

  test('extends the displayed hours for arrival and departure of a vehicle that stays overnight, but not through the night', () => {
    const hoursAndBlock = (from: string, to: string) => {
      const { hours, columns } = layOutDay(day({ bookings: [booking('Olga', from, to)] }), usual)
      const block = columns[0]?.blocks[0]
      const shown = [hours?.opensAtMinute, hours?.closesAtMinute]
      return [...shown, block?.startsAtMinute, block?.endsAtMinute, block?.isContinued]
    }
    expect(hoursAndBlock('17:00', '2026-11-25T14:00:00')).toEqual([660, 1140, 1020, 1140, false])
    expect(hoursAndBlock('2026-11-23T17:00:00', '14:00')).toEqual([660, 1140, 660, 840, true])
    expect(hoursAndBlock('2026-11-23T17:00:00', '2026-11-25T14:00:00')).toEqual([
      660,
      1140,
      660,
      1140,
      true,
    ])
    expect(hoursAndBlock('2026-11-23T17:00:00', '10:00')).toEqual([570, 1140, 570, 600, true])
  })

  test('ends the block of a no-show where the next free slot begins', () => {
    const missedAt = (from: string, now: string) => {
      const bookings = [booking('Luis', from, '14:00', { state: 'no_show' })]
      const [first] = layOutDay(day({ bookings, now: `2026-11-24T${now}:00` }), usual).columns
      return [first?.blocks[0]?.endsAtMinute, first?.freeSlots[0]?.startsAtMinute]
    }
    expect(missedAt('12:00', '12:40')).toEqual([765, 765])
    expect(missedAt('12:30', '12:46')).toEqual([780, 780])
    expect(missedAt('12:00', '15:10')).toEqual([840, 915])
    const yesterday = layOutDay(
      day({
        bookings: [booking('Luis', '12:00', '14:00', { state: 'no_show' })],
        now: '2026-11-25T09:00:00',
      }),
      usual,
    )
    expect(yesterday.columns[0]?.blocks[0]?.endsAtMinute).toBe(840)
  })

  test('counts booked minutes only within the open hours, and counts overnight vehicles separately', () => {
    const open = [
      { opensAtMinute: 660, closesAtMinute: 840 },
      { opensAtMinute: 900, closesAtMinute: 1140 },
    ]
    const loadOf = (...bookings: DayBooking[]) =>
      layOutDay(day({ bays: [bay('one', 'Bay 1', { open })], bookings }), usual).columns[0]?.load
    const early = booking('Early', '10:00', '12:00')
    const lunch = booking('Lunch', '13:00', '15:30')
    const stays = booking('Stays', '18:00', '2026-11-25T10:00:00')
    const left = booking('Left', '2026-11-23T16:00:00', '11:30')
    const midnight = booking('Midnight', '18:00', '2026-11-25T00:00:00')
    const missed = booking('Missed', '16:00', '2026-11-26T12:00:00', { state: 'no_show' })
    expect(loadOf(early, lunch)).toEqual({
      bookedMinutes: 150,
      openMinutes: 420,
      overnightCount: 0,
    })
    expect(loadOf(lunch, stays)).toEqual({
      bookedMinutes: 150,
      openMinutes: 420,
      overnightCount: 1,
    })
    expect(loadOf(left, midnight, missed)).toEqual({
      bookedMinutes: 90,
      openMinutes: 420,
      overnightCount: 0,
    })
    const week = booking('Week', '2026-11-22T12:00:00', '2026-11-28T12:00:00')
    expect(loadOf(week)).toEqual({ bookedMinutes: 420, openMinutes: 420, overnightCount: 1 })
    const unplaced = [
      booking('Unplaced', '16:00', '2026-11-26T12:00:00', { bay_id: null }),
      { ...missed, bay_id: null },
    ]
    const noBay = layOutDay(day({ bookings: unplaced }), usual).columns.at(-1)
    expect(noBay?.load.overnightCount).toBe(1)
  })

  test('shows a bay that is switched off only if the bay has a booking, and counts no open minutes for it', () => {
    const bays = [bay('one', 'Bay 1'), bay('two', 'Bay 2', { is_active: false })]
    expect(layOutDay(day({ bays }), usual).columns.map(({ name }) => name)).toEqual([
      'Bay 1',
      'No bay',
    ])
    const bookings = [booking('Left', '11:00', '12:00', { bay_id: 'two' })]
    const [, second] = layOutDay(day({ bays, bookings }), usual).columns
    expect(second).toMatchObject({ name: 'Bay 2', load: { openMinutes: 0 } })
  })

  test('marks the part of the weekly hours that a closure covers as closed, with the reason of the closure', () => {
    const { closed, hours } = layOutDay(
      day({
        open: [{ opensAtMinute: 660, closesAtMinute: 840 }],
        bays: [bay('one', 'Bay 1', { open: [{ opensAtMinute: 660, closesAtMinute: 840 }] })],
        closures: [
          {
            id: 'c',
            bay_id: null,
            starts_at: '2026-11-24T14:00:00',
            ends_at: '2026-11-26T00:00:00',
            is_open: false,
            reason: 'Inventory',
          },
        ],
      }),
      usual,
    )
    expect(hours).toEqual(usual)
    expect(closed).toEqual([
      { startsAtMinute: 840, endsAtMinute: 1140, isAllDay: false, reason: 'Inventory' },
    ])
  })

  test('shows no hours on a closed day, unless the day has a booking', () => {
    const closedDay = { open: [], bays: [bay('one', 'Bay 1', { open: [] })] }
    expect(layOutDay(day(closedDay), usual).hours).toBeUndefined()
    const bookings = [booking('Early', '09:00', '10:00')]
    expect(layOutDay(day({ ...closedDay, bookings }), null).hours).toEqual({
      opensAtMinute: 540,
      closesAtMinute: 600,
    })
  })

  test('returns the current minute only for today’s date', () => {
    expect(layOutDay(day(), usual).nowMinute).toBe(760)
    expect(layOutDay(day({ now: '2026-11-25T09:00:00' }), usual).nowMinute).toBeUndefined()
  })
})

describe('listDayItems', () => {
  const bookings = [
    booking('Priya', '11:00', '12:00', { state: 'completed' }),
    booking('Walt', '11:30', '13:30', { bay_id: 'two', state: 'in_work' }),
    booking('Maria', '13:00', '14:00'),
  ]
  const lineNames = (plan: ReturnType<typeof layOutDay>, only?: string | null) =>
    listDayItems(plan, only).lines.map((line) => {
      if (line.kind === 'freeSlot') return `${line.column.name} from ${line.minute}`
      return line.kind === 'block' ? line.block.booking.customer_name : line.kind
    })

  test('merges all bays in order of time, with the line of the current time in between', () => {
    expect(lineNames(layOutDay(day({ bookings }), usual))).toEqual([
      'Walt',
      'now',
      'Maria',
      'Bay 2 from 810',
      'Bay 1 from 840',
    ])
  })
  test('lists only the bookings and free slots of one bay when a bay is selected', () => {
    expect(lineNames(layOutDay(day({ bookings }), usual), 'two')).toEqual([
      'Walt',
      'now',
      'Bay 2 from 810',
    ])
  })
  test('separates completed bookings from the list only on today’s date', () => {
    expect(
      listDayItems(layOutDay(day({ bookings }), usual)).over.map(({ block }) => block.booking.id),
    ).toEqual(['Priya'])
    const yesterday = layOutDay(day({ bookings, now: '2026-11-25T09:00:00' }), usual)
    expect(lineNames(yesterday)).toEqual(['Priya', 'Walt', 'Maria'])
  })
})
