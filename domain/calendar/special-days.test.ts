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

describe('a day that does not keep the week’s hours', () => {
  it('has the hours that are told of it, every other day those of the week', () => {
    const short = day('2026-11-24', { hours: [span(660, 840), span(900, 1140)] })
    const shop = shopWith(short, thanksgiving)
    expect(hoursOn('2026-11-24', shop)).toEqual(short.hours)
    expect(hoursOn('2026-11-26', shop)).toEqual([])
    expect(hoursOn('2026-11-27', shop)).toEqual([span(510, 1260)])
  })

  it('offers the times of each bay that is open, and none when no bay is', () => {
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

  it('is closed for the reason that the public may know, or without one', () => {
    expect(formatClosure(thanksgiving)).toBe('Closed: Thanksgiving Day')
    expect(formatClosure(day('2026-11-27'))).toBe('Closed')
    expect(formatClosure(undefined)).toBe('Closed')
  })
})

describe('special days in words', () => {
  it('are told as one where they follow each other and are alike', () => {
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

  it('name the hours of a day that is open at other times', () => {
    const periods = groupSpecialHours([
      day('2026-12-20', { hours: [span(540, 660), span(720, 1440)] }),
    ])
    expect(periods.map(formatSpecialPeriod)).toEqual([
      'Open Sunday, December 20: 9:00 AM – 11:00 AM, 12:00 PM – 12:00 AM',
    ])
  })
})

describe('what a visitor should know before driving out', () => {
  const shop = shopWith(
    // As the week has it: a closure of one bay, or at night.
    day('2026-11-23', { hours: [span(660, 1140)] }),
    day('2026-11-24', { hours: [span(660, 840)] }),
    thanksgiving,
    ...inventory,
  )
  const listTexts = (today: string) => upcomingSpecialHours(shop, today).map(formatSpecialPeriod)

  it('is the next closure and the next day of other hours', () => {
    expect(listTexts('2026-11-22')).toEqual([
      'Open Tuesday, November 24: 11:00 AM – 2:00 PM',
      'Closed Thursday, November 26: Thanksgiving Day',
    ])
  })

  it('moves on with the days, on a page that was written before', () => {
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
