import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { shop, shopAddressLine } from '#domain/shop.ts'
import { renderCalendarFile } from './calendar-file.ts'
import { layOut } from './email-layout.ts'
import { greeting, manyLines, oneLine, unlinked } from './foreign-text.ts'
import type { RenderedEmail, ShopEmail } from './shop-email.ts'

/** A booking with its service, as stored. */
export type BookingRecord = {
  readonly id: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  readonly customerName: string
  readonly customerEmail: string
  readonly customerPhone: string
  readonly notes: string | null
  readonly vehicleYear: string | null
  readonly vehicleMake: string | null
  readonly vehicleModel: string | null
  readonly vehicleColor: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

/** The confirmation of a booking, with the appointment as a calendar file. */
export function writeBookingConfirmation(booking: BookingRecord): ShopEmail {
  const { id: bookingId, date, time, durationMinutes, serviceName, createdAt } = booking
  const calendar = renderCalendarFile({
    bookingId,
    serviceName,
    date,
    time,
    durationMinutes,
    vehicle: unlinked(vehicleOf(booking)),
    bookedAt: createdAt,
  })
  return {
    kind: 'booking_confirmation',
    dedupeKey: `booking:${bookingId}`,
    to: { email: booking.customerEmail, name: oneLine(booking.customerName) },
    ...renderBookingConfirmation(booking),
    attachments: [
      {
        filename: 'appointment.ics',
        contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
        content: new TextEncoder().encode(calendar),
      },
    ],
    bookingId,
    appointmentAt: `${date} ${time}`,
  }
}

function renderBookingConfirmation(booking: BookingRecord): RenderedEmail {
  const date = formatLongDate(booking.date)
  const time = formatTime(booking.time)
  const service = oneLine(booking.serviceName)
  const vehicle = unlinked(vehicleOf(booking))
  const notes = unlinked(manyLines(booking.notes ?? '', 2000))
  return layOut({
    subject: `Appointment confirmed: ${service}, ${date} at ${time}`,
    preview: `${service} on ${date} at ${time}, shop time.`,
    heading: 'Your appointment is confirmed',
    parts: [
      { kind: 'paragraph', text: greeting(booking.customerName) },
      { kind: 'paragraph', text: `We look forward to seeing you and your car at ${shop.name}.` },
      {
        kind: 'facts',
        facts: [
          ['Service', service],
          ['Date', date],
          ['Time', `${time} shop time (Pacific)`],
          ['Where', shopAddressLine],
          ...(vehicle ? [['Vehicle', vehicle] as const] : []),
          ...(notes ? [['Your notes', notes] as const] : []),
        ],
      },
      {
        kind: 'paragraph',
        text: `Need another time, or to cancel? Please call ${shop.phone.display}. The attached file puts the appointment into your calendar.`,
      },
    ],
    reason:
      'You receive this message because this address was given for an appointment. If it was not you, please call us and we will cancel it.',
  })
}

function vehicleOf(booking: BookingRecord): string {
  const { vehicleYear, vehicleMake, vehicleModel, vehicleColor } = booking
  const name = [vehicleYear, vehicleMake, vehicleModel].filter(Boolean).join(' ')
  return oneLine(vehicleColor ? `${name}, ${vehicleColor}` : name, 200)
}
