import ical from 'ical.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { readCalendar } from '#tests/support/read-calendar.ts'
import { asSent, type CalendarAppointment, renderCalendarFile } from './calendar-file.ts'

const appointment: CalendarAppointment = {
  bookingId: '0b5c0000-0000-4000-8000-000000000001',
  serviceName: 'Brake Job',
  date: '2026-11-28',
  time: '13:30:00',
  durationMinutes: 90,
  vehicle: '2019 Subaru Outback',
  visitUrl: `https://shop.example/visit/${'a'.repeat(43)}`,
  writtenAt: new Date('2026-11-20T18:00:00.123Z'),
}

function eventOf(file: string) {
  const calendar = new ical.Component(ical.parse(file))
  const event = calendar.getFirstSubcomponent('vevent')
  if (!event) throw new Error('The calendar has no event')
  const instant = (name: string) => {
    const value = event.getFirstPropertyValue(name)
    return value instanceof ical.Time ? value.toJSDate().toISOString() : undefined
  }
  return { calendar, event: new ical.Event(event), property: event, instant }
}

describe('the calendar file of an appointment', () => {
  it('states the service, time, place and vehicle, and links to the visit page', () => {
    const file = renderCalendarFile(defaultShop, appointment)
    const { calendar, event, property, instant } = eventOf(file)
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
    expect(event.uid).toBe('booking-0b5c0000-0000-4000-8000-000000000001')
    expect(event.sequence).toBe(0)
    expect(instant('dtstamp')).toBe('2026-11-20T18:00:00.000Z')
    expect(instant('dtstart')).toBe('2026-11-28T21:30:00.000Z')
    expect(instant('dtend')).toBe('2026-11-28T23:00:00.000Z')
    expect(event.summary).toBe('Brake Job at Torque & Timing')
    expect(event.location).toBe('Torque & Timing, 2130 Example Way, Mountain View, CA 94043')
    expect(event.description).toBe(
      [
        'Brake Job at Torque & Timing.',
        'Vehicle: 2019 Subaru Outback',
        `View or change your appointment: ${appointment.visitUrl}`,
        'To change or cancel the appointment, call (650) 555-0142.',
      ].join('\n'),
    )
    expect(property.getFirstPropertyValue('url')).toBe(appointment.visitUrl)
    expect(property.getFirstPropertyValue('organizer')).toBe('mailto:hello@torqueandtiming.example')
    expect(renderCalendarFile(defaultShop, appointment)).toBe(file)
  })

  it.each([
    [
      'the day before daylight-saving time begins',
      '2026-03-07',
      '13:30:00',
      '2026-03-07T21:30:00.000Z',
    ],
    [
      'the day on which daylight-saving time begins',
      '2026-03-08',
      '13:30:00',
      '2026-03-08T20:30:00.000Z',
    ],
    [
      'the day before daylight-saving time ends',
      '2026-10-31',
      '13:30:00',
      '2026-10-31T20:30:00.000Z',
    ],
    [
      'the day on which daylight-saving time ends',
      '2026-11-01',
      '13:30:00',
      '2026-11-01T21:30:00.000Z',
    ],
    ['midwinter', '2026-12-21', '08:30:00', '2026-12-21T16:30:00.000Z'],
    ['midsummer', '2026-07-04', '19:45:00', '2026-07-05T02:45:00.000Z'],
  ])('states the correct UTC start on %s', (_day, date, time, startsAt) => {
    const { instant } = eventOf(renderCalendarFile(defaultShop, { ...appointment, date, time }))
    expect(instant('dtstart')).toBe(startsAt)
    const minutes = (Date.parse(instant('dtend') ?? '') - Date.parse(startsAt)) / 60_000
    expect(minutes).toBe(90)
  })

  it('contains one event, whatever text the visitor entered as vehicle or service', () => {
    const untrustedText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(
        'A;B,C\\D',
        'x\r\nEND:VEVENT\r\nATTENDEE:mailto:v@example.net',
        'Łukasz 🚗🚗🚗',
      ),
    )
    fc.assert(
      fc.property(untrustedText, untrustedText, (vehicle, serviceName) => {
        const file = renderCalendarFile(defaultShop, { ...appointment, vehicle, serviceName })
        const lines = file.split('\r\n')
        expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
        expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        const { calendar, property } = eventOf(file)
        expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1)
        expect(property.getAllProperties('attendee')).toEqual([])
      }),
    )
  })

  it.each([
    ['REQUEST', 'CONFIRMED'],
    ['CANCEL', 'CANCELLED'],
  ] as const)(
    'updates the event in the customer’s calendar with the method %s and the sequence number of the appointment',
    (method, status) => {
      const change = { method, sequence: 3, attendee: 'dana@customer.example' }
      const file = renderCalendarFile(defaultShop, appointment, change)
      expect(file.indexOf(`METHOD:${method}`)).toBeLessThan(file.indexOf('BEGIN:VEVENT'))
      expect(readCalendar(file)).toMatchObject({
        method,
        status,
        sequence: 3,
        attendee: 'mailto:dana@customer.example',
      })
      expect(file.includes('BEGIN:VALARM')).toBe(method === 'REQUEST')
    },
  )

  it('names the email’s sender as the organizer, even when the line is folded (RFC 5545, 3.1)', () => {
    const change = { method: 'REQUEST', sequence: 0, attendee: 'dana@customer.example' } as const
    const long = { ...defaultShop, name: 'A shop whose name is rather long, in Mountain View' }
    const file = renderCalendarFile(long, appointment, change)
    const address = 'appointments-of-the-whole-shop@mail.torqueandtiming.example'
    const sent = asSent(file, { name: long.name, address }, '')
    expect(readCalendar(sent)).toEqual({ ...readCalendar(file), organizer: `mailto:${address}` })
    expect(sent.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  })

  it('states as DTSTAMP the time at which the file was written (RFC 5545, 3.8.7.2)', () => {
    const change = { method: 'CANCEL', sequence: 3, attendee: 'dana@customer.example' } as const
    const writtenAt = new Date('2026-11-22T09:00:00Z')
    const file = renderCalendarFile(defaultShop, { ...appointment, writtenAt }, change)
    expect(eventOf(file).instant('dtstamp')).toBe('2026-11-22T09:00:00.000Z')
  })

  it('contains the link to the visit page from its email, even if the email also links to another appointment', () => {
    const id = 'b'.repeat(21)
    const linkOf = (signature: string) => `https://shop.example/visit/${id}${signature.repeat(22)}`
    const visitUrl = linkOf('x')
    const file = renderCalendarFile(defaultShop, { ...appointment, visitUrl })
    const sender = { name: defaultShop.name, address: defaultShop.bookingEmail }
    const another = `https://shop.example/visit/${'c'.repeat(43)}`
    const sent = asSent(file, sender, `See it: ${another} or ${linkOf('y')}.`)
    const { property, event } = eventOf(sent)
    expect(property.getFirstPropertyValue('url')).toBe(linkOf('y'))
    expect(event.description).toContain(`View or change your appointment: ${linkOf('y')}`)
    expect(asSent(file, sender, 'No link.')).toBe(file)
    expect(sent.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  })

  it('escapes commas, semicolons and backslashes in texts', () => {
    const serviceName = String.raw`Brakes; pads, discs \ fluid`
    const { event } = eventOf(renderCalendarFile(defaultShop, { ...appointment, serviceName }))
    expect(event.summary).toBe(`${serviceName} at Torque & Timing`)
  })
})
