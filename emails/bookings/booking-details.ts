import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { addressLine, type Shop } from '#domain/shop/shop.ts'
import { shopZoneName } from '#domain/calendar/shop-time.ts'
import type { EmailPart } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

type TimedBooking = {
  readonly serviceName: string
  /** The start of the appointment: 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
}

/** Returns the list of service, time, place and further details that all emails about an appointment contain. */
export function bookingDetails(
  shop: Shop,
  { serviceName, date, time }: TimedBooking,
  more: readonly (readonly [label: string, value: string])[] = [],
): EmailPart {
  return {
    kind: 'facts',
    details: [
      ['Service', oneUntrustedLine(serviceName)],
      ['Date', formatLongDate(date)],
      ['Time', `${formatTime(time)} shop time (${shopZoneName(shop.timeZone)})`],
      ['Where', addressLine(shop)],
      ...more,
    ],
  }
}
