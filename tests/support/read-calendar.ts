import { isDeepStrictEqual } from 'node:util'
import ical from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'

/** The content of a calendar file with one event. Instants are ISO 8601. */
export type ReadEvent = {
  readonly method: string
  readonly status: string
  readonly sequence: number
  readonly start: string
  readonly end: string
  readonly organizer: string
  /** The email address of the attendee; undefined without one. */
  readonly attendee: string | undefined
}

/** Reads a calendar file with two independent parsers; throws when their results differ. */
export function readCalendar(file: string): ReadEvent {
  const [one, other] = [readByIcalJs(file), readByNodeIcal(file)]
  if (!isDeepStrictEqual(one, other)) {
    throw new Error(`The two parsers disagree: ${JSON.stringify(one)} and ${JSON.stringify(other)}`)
  }
  return one
}

function readByIcalJs(file: string): ReadEvent {
  const calendar = new ical.Component(ical.parse(file))
  const [event, ...more] = calendar.getAllSubcomponents('vevent')
  if (!event || more.length > 0) throw new Error(`${more.length} more events than one`)
  const { sequence, startDate, endDate } = new ical.Event(event)
  const text = (name: string) => event.getFirstPropertyValue(name)?.toString()
  return {
    method: calendar.getFirstPropertyValue('method')?.toString() ?? '',
    status: text('status') ?? '',
    sequence,
    start: startDate.toJSDate().toISOString(),
    end: endDate.toJSDate().toISOString(),
    organizer: text('organizer') ?? '',
    attendee: text('attendee'),
  }
}

function readByNodeIcal(file: string): ReadEvent {
  const events = Object.values(nodeIcal.sync.parseICS(file)).filter(
    (part): part is VEvent => part?.type === 'VEVENT',
  )
  const [event, ...more] = events
  if (!event || more.length > 0) throw new Error(`${more.length} more events than one`)
  const propertyText = (value: unknown) =>
    typeof value === 'object' && value !== null && 'val' in value ? String(value.val) : value
  return {
    method: event.method ?? '',
    status: event.status ?? '',
    sequence: Number(event.sequence),
    start: event.start.toISOString(),
    end: event.end?.toISOString() ?? '',
    organizer: String(propertyText(event.organizer)),
    attendee: event.attendee === undefined ? undefined : String(propertyText(event.attendee)),
  }
}
