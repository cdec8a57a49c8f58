import { dayNames, formatDayOfYear, shortDayName, weekdayOf } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { durationInWords } from '#domain/duration-text.ts'
import { formatShopTime } from '#domain/shop-time.ts'
import type { StoryLine, Visit } from './read-visit.ts'

/** 'Tuesday' */
export const dayNameOf = (date: string): string => dayNames[weekdayOf(date)]

/** 'Tuesday, 1:00 PM' */
export const shortMoment = (date: string, time: string): string =>
  `${dayNameOf(date)}, ${formatTime(time)}`

/** 'Tuesday, November 24, 1:00 PM' */
export const moment = (date: string, time: string): string =>
  `${formatDayOfYear(date)}, ${formatTime(time)}`

/** 'Tue, Nov 24, 1:00 PM', where there is little room. */
export const narrowMoment = (date: string, time: string): string => {
  const [month = '', day = ''] = dayOfMonth(date).split(' ')
  return `${shortDayName(date)}, ${month.slice(0, 3)} ${day}, ${formatTime(time)}`
}

/** A stamp 'yyyy-MM-ddTHH:mm:ss' as `moment` says it. */
export const momentOf = (stamp: string): string => moment(stamp.slice(0, 10), stamp.slice(11))

/** 'November 24' */
const dayOfMonth = (date: string): string => formatDayOfYear(date).replace(/^\w+, /, '')

/** 'Multipoint Inspection, about 1 hour' */
export const work = ({ serviceName, durationMinutes }: Visit): string =>
  `${serviceName}, about ${durationInWords(durationMinutes)}`

type Words = { readonly heading: string; readonly lead: string }

/** The first lines of the page: they answer the only question of the moment. */
export function wordsOf(visit: Visit): Words {
  const { date, time } = visit
  switch (visit.state) {
    case 'expected':
      return {
        heading: `We expect you ${dayNameOf(date)} at ${formatTime(time)}`,
        lead: `${dayOfMonth(date)}. ${work(visit)}.`,
      }
    case 'held':
      return {
        heading: 'Please confirm your appointment',
        lead: `We hold this time for you until ${heldUntil(visit)}. One click makes it yours.`,
      }
    case 'lapsed':
      return {
        heading: 'Please confirm your appointment',
        lead: 'The half hour in which we held this time is over, but it is still free. Confirm it, and it is yours.',
      }
    case 'lost':
      return {
        heading: 'This time is gone',
        lead: 'The half hour in which we held it is over, and it can no longer be booked. Please pick another time.',
      }
    case 'cancelled':
      return { heading: 'Cancelled. There is no charge.', lead: cancelledLead(visit) }
    case 'over':
      return {
        heading: 'This appointment has passed',
        lead: 'On your way, or do you still need us? Please call, or book a new one.',
      }
    case 'arrived':
      return { heading: 'Your car is with us', lead: `${work(visit)}.` }
    case 'in_work':
      return { heading: 'We are working on your car', lead: `${visit.serviceName}.` }
    case 'completed':
      return { heading: 'This visit is done', lead: 'Thank you for bringing your car to us.' }
    case 'no_show':
      return {
        heading: 'We missed you',
        lead: 'Do you still need us? Please book a new time.',
      }
  }
}

const heldUntil = ({ heldUntil: until }: Visit) =>
  until === null ? 'soon' : formatShopTime(new Date(until))

function cancelledLead(visit: Visit): string {
  const when = moment(visit.date, visit.time)
  if (cancellationOf(visit)?.source !== 'customer') return `${when} does not take place.`
  const letter = visit.hasLetter ? ' We sent you an e-mail that says the same.' : ''
  return `${when} is free again.${letter}`
}

/** Who cancelled it last, and when. */
export function cancellationOf({ story }: Visit): StoryLine | undefined {
  return story.findLast(({ kind }) => kind === 'cancelled')
}

/** A line of the story in the customer's words. */
export type ToldLine = { readonly at: string; readonly text: string }

/** The same, at 'yyyy-MM-ddTHH:mm:ss' shop time. */
export type TimedLine = { readonly stamp: string; readonly text: string }

/** What has happened, also to the work, oldest first, without what only the shop's own order is about. */
export function tellStory({ story }: Visit, work: readonly TimedLine[] = []): ToldLine[] {
  const standing = story.filter((line, nth) => !isTakenBack(line, story[nth + 1]))
  const told = standing.flatMap((line) => {
    const text = textOf(line)
    return text === undefined ? [] : [{ stamp: line.at, text }]
  })
  return [...told, ...work]
    .toSorted((one, other) => Number(one.stamp > other.stamp) - Number(one.stamp < other.stamp))
    .map(({ stamp, text }) => ({ at: momentOf(stamp), text }))
}

/** A step that the very next line undoes was a slip of the finger. */
function isTakenBack({ kind }: StoryLine, next: StoryLine | undefined): boolean {
  const isStep = ['arrived', 'started', 'completed', 'no_show'].includes(kind)
  return isStep && (next?.kind === 'undone' || next?.kind === 'reopened')
}

function textOf({ kind, source, before, after }: StoryLine): string | undefined {
  const who = source === 'customer' ? 'You' : 'The shop'
  switch (kind) {
    case 'booked':
      return source === 'counter' ? 'Booked by phone' : 'Booked online'
    case 'confirmed':
      return 'You confirmed it'
    case 'moved':
      return moveOf(who, { before, after })
    case 'answered':
      return 'You said that you will come'
    case 'cancelled':
      return `${who} cancelled it`
    case 'reopened':
      return before?.state === 'cancelled' ? returnOf(source) : undefined
    case 'arrived':
      return 'Your car arrived'
    case 'started':
      return 'Work began'
    case 'completed':
      return 'Done'
    default:
      return undefined
  }
}

const returnOf = (source: StoryLine['source']) =>
  source === 'customer' ? 'You took it back' : 'The shop brought it back'

function moveOf(who: string, { before, after }: Pick<StoryLine, 'before' | 'after'>) {
  if (after?.date === undefined && after?.time === undefined) return undefined
  // A line holds what changed; of a move within a day that is the time alone.
  const from = [
    before?.date && formatDayOfYear(before.date),
    before?.time && formatTime(before.time),
  ]
  const to = [after.date && formatDayOfYear(after.date), after.time && formatTime(after.time)]
  return `${who} moved it from ${from.filter(Boolean).join(', ')} to ${to.filter(Boolean).join(', ')}`
}
