import { expect, test } from 'vitest'
import {
  bookingListLink,
  type DashboardLink,
  dayLink,
} from '#web/dashboard/kit/navigation/links.ts'
import { formatNewBookings } from './new-booking-text.ts'

const booking = (date: string, id = 'one') => ({
  id,
  customer_name: 'Robin Vale',
  appointment_date: date,
  appointment_time: '10:30:00',
  service_name: 'Brake Job',
})
const titleOf = (...dates: string[]) =>
  formatNewBookings(
    dates.map((date) => booking(date)),
    '2026-11-24',
    () => undefined,
  )?.title

test('the notification about one new booking names the customer, the time and the service', () => {
  expect(titleOf('2026-11-27')).toBe('New booking: Robin Vale, Friday 10:30 AM, Brake Job.')
  expect(titleOf('2026-12-01')).toBe(
    'New booking: Robin Vale, Tuesday, December 1, 10:30 AM, Brake Job.',
  )
})

test('the notification shows the number of new bookings if there are several', () => {
  expect(titleOf('2026-11-27', '2026-11-28', '2026-11-28')).toBe('3 new bookings')
  expect(titleOf()).toBeUndefined()
})

test('The button Show opens the day of a single new booking, or the booking list for several new bookings', () => {
  const shown: DashboardLink[] = []
  const show = (link: DashboardLink) => void shown.push(link)
  formatNewBookings([booking('2026-11-27')], '2026-11-24', show)?.action?.run()
  formatNewBookings(
    [booking('2026-11-27'), booking('2026-11-28')],
    '2026-11-24',
    show,
  )?.action?.run()
  expect(shown).toEqual([dayLink('2026-11-27', 'one'), bookingListLink])
})
