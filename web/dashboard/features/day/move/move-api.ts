import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import type { FreeTime } from '#contracts/bookings/phone-bookings.ts'
import { addMinutes } from '#domain/calendar/shop-date-time.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { noBay, type ProposedSlot } from '../phone-booking/phone-bookings-api.ts'

/** The new date, start, duration and bay of a booking. */
export type MoveTarget = Omit<ProposedSlot, 'serviceId'> & {
  readonly minutes: number
  /** The reason that staff typed for a booking without a bay; '' if the booking has a bay. */
  readonly reason: string
}

/** Returns the current date, start, duration and bay of a booking. */
export function moveTargetOf({ starts_at, minutes, bay_id }: DayBooking): MoveTarget {
  const [date = '', time = ''] = starts_at.split('T')
  return { date, time: time.slice(0, 5), minutes, bayId: bay_id ?? noBay, reason: '' }
}

/** Returns the end of a slot as 'yyyy-MM-ddTHH:mm'. */
export function endOf({ date, time, minutes }: MoveTarget): string {
  return addMinutes(`${date}T${time}`, minutes)
}

/**
 * Moves a booking and, on request, emails the customer. Returns the booking's new version and bay. The database rejects
 * the move if `version` is not the current version of the booking.
 */
export function moveBooking(
  { id, version }: Pick<DayBooking, 'id' | 'version'>,
  { date, time, minutes, bayId, reason }: MoveTarget,
  notifies: boolean,
) {
  return runCommand(bookingCommands.move, {
    bookingId: id,
    seenVersion: version,
    date,
    time,
    minutes,
    bayId: bayId === '' || bayId === noBay ? null : bayId,
    withoutBay: bayId === noBay,
    reason: reason.trim() || null,
    notifies,
  })
}

/**
 * The maximum number of free start times in a response. Seven days have 336 full and half hours and few other start
 * times, so the response contains every free time.
 */
const mostTimes = 500

/**
 * Reads all start times within seven days at which an appointment of `minutes` minutes is possible. The current time of
 * the booking itself counts as free.
 */
export async function listTimesToMoveTo(
  { id, service_id }: Pick<DayBooking, 'id' | 'service_id'>,
  firstDate: string,
  minutes: number,
): Promise<FreeTime[]> {
  const { data } = await requestData((service) =>
    service.rpc('next_free_times', {
      service_id,
      ignored_booking_id: id,
      from_moment: `${firstDate}T00:00:00`,
      minutes,
      days: 7,
      max_rows: mostTimes,
    }),
  )
  return data.map(({ free_date, free_time, bay_ids }) => ({
    date: free_date,
    time: free_time.slice(0, 5),
    bay_ids,
  }))
}

/** Returns the seven dates from `firstDate` on, and for each date whether any bay is open. */
export async function listOpenDays(firstDate: string): Promise<{ day: string; isOpen: boolean }[]> {
  const { data } = await requestData((service) =>
    service.rpc('read_daily_loads', { first_date: firstDate, days: 7 }),
  )
  return data.map(({ day, open_minutes }) => ({ day, isOpen: open_minutes > 0 }))
}

/** Whether the server has already sent the latest email about a move of the booking. */
export async function isMoveEmailSent(bookingId: string): Promise<boolean> {
  const { data } = await requestData((service) =>
    service
      .from('emails')
      .select('status')
      .eq('booking_id', bookingId)
      .eq('kind', 'booking_moved')
      .order('created_at', { ascending: false })
      .limit(1),
  )
  return data[0]?.status === 'sent'
}
