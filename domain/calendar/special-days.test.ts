import { describe, expect, it } from 'vitest'
import { calendarOf } from './shop-calendar.ts'
import type { SpecialDay } from '#domain/shop/shop.ts'
import { formatClosure, hoursOn } from './special-days.ts'
import { upcomingSpecialHours, formatSpecialPeriod, groupSpecialHours } from './special-hours.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { listTimeSlots } from '#domain/bookings/time-slots.ts'

const day = (date: string, change: Partial<SpecialDay> = {}): SpecialDay => ({
  date,
  hours: [],
  openings: [],
  reason: null,
  ...change,
})
const thanksgiving = day('2026-11-26', { reason: 'Thanksgiving Day' })
const inventory = ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31'].map((date) =>
  day(date, { reason: 'Inventory' }),
)
const span = (opensAtMinute: number, closesAtMinute: number) => ({ opensAtMinute, closesAtMinute })
const shopWith = (...specialDays: SpecialDay[]) => ({ ...defaultShop, specialDays })

describe('a special day', () => {
  it('replaces the weekly hours on its own date only', () => {
    const short = day('2026-11-24', { hours: [span(660, 840), span(900, 1140)] })
    const shop = shopWith(short, thanksgiving)
    expect(hoursOn('2026-11-24', shop)).toEqual(short.hours)
    expect(hoursOn('2026-11-26', shop)).toEqual([])
    expect(hoursOn('2026-11-27', shop)).toEqual([span(510, 1260)])
  })

  it('lists the slots of each open bay, and no slots when no bay is open', () => {
    const noon = [span(660, 780)]
    const halfOpen = day('2026-11-24', {
      hours: [span(660, 1140)],
      openings: [noon, [span(900, 1140)]],
    })
    const calendar = calendarOf(shopWith(halfOpen, thanksgiving))
    expect(listTimeSlots('2026-11-24', 90, calendar)).toEqual([
      '11:00',
      '11:30',
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
      '17:30',
    ])
    expect(listTimeSlots('2026-11-26', 90, calendar)).toEqual([])
  })

  it('is shown as closed, with its public reason if the closure has one', () => {
    expect(formatClosure(thanksgiving)).toBe('Closed: Thanksgiving Day')
    expect(formatClosure(day('2026-11-27'))).toBe('Closed')
    expect(formatClosure(undefined)).toBe('Closed')
  })
})

describe('groupSpecialHours', () => {
  it('joins consecutive special days with equal hours and reason', () => {
    const periods = groupSpecialHours([
      thanksgiving,
      day('2026-11-27'),
      ...inventory,
      day('2027-01-02'),
    ])
    expect(periods.map(formatSpecialPeriod)).toEqual([
      'Closed Thursday, November 26: Thanksgiving Day',
      'Closed Friday, November 27',
      'Closed Monday, December 28 – Thursday, December 31: Inventory',
      'Closed Saturday, January 2',
    ])
  })

  it('shows the opening times of a day whose hours differ from the weekly hours', () => {
    const periods = groupSpecialHours([
      day('2026-12-20', { hours: [span(540, 660), span(720, 1440)] }),
    ])
    expect(periods.map(formatSpecialPeriod)).toEqual([
      'Open Sunday, December 20: 9:00 AM – 11:00 AM, 12:00 PM – 12:00 AM',
    ])
  })
})

describe('upcomingSpecialHours', () => {
  const shop = shopWith(
    // The hours of this special day equal the hours of its weekday. A closure of a single bay, or a closure at night,
    // causes such a special day.
    day('2026-11-23', { hours: [span(660, 1140)] }),
    day('2026-11-24', { hours: [span(660, 840)] }),
    thanksgiving,
    ...inventory,
  )
  const listTexts = (today: string) => upcomingSpecialHours(shop, today).map(formatSpecialPeriod)

  it('returns the next closure and the next day whose hours differ from the weekly hours', () => {
    expect(listTexts('2026-11-22')).toEqual([
      'Open Tuesday, November 24: 11:00 AM – 2:00 PM',
      'Closed Thursday, November 26: Thanksgiving Day',
    ])
  })

  it('omits special days before today, because the page may have been rendered on an earlier day', () => {
    expect(listTexts('2026-11-26')).toEqual(['Closed Thursday, November 26: Thanksgiving Day'])
    expect(listTexts('2026-11-27')).toEqual([
      'Closed Monday, December 28 – Thursday, December 31: Inventory',
    ])
    expect(listTexts('2026-12-30')).toEqual([
      'Closed Wednesday, December 30 – Thursday, December 31: Inventory',
    ])
    expect(listTexts('2027-01-01')).toEqual([])
  })
})
