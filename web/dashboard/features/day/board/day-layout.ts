import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { type BayLoad, bayLoad } from '#domain/bookings/bay-load.ts'
import {
  assignSubcolumns,
  closedSpans,
  freeSpans,
  hoursShown,
  minuteOnDate,
  type MinuteSpan,
} from '#domain/calendar/day-spans.ts'
import { occupiesBay } from '#domain/bookings/occupies-bay.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'

/** An appointment and which part of the shown date it takes. */
export type DayBlock = MinuteSpan & {
  readonly booking: DayBooking
  /** Whether it came on an earlier date. */
  readonly isContinued: boolean
}

export type ClosedBlock = MinuteSpan & {
  /** Whether nothing of the date is open. */
  readonly isAllDay: boolean
  /** Empty where no closure says why: outside the week's hours. */
  readonly reason: string
}

export type DayColumn = {
  /** Null is the lane of cars that are not placed. */
  readonly bayId: string | null
  readonly name: string
  /** Who works there; null is nobody in particular. */
  readonly technician: string | null
  /** The only services that it can do now; null is all. */
  readonly serviceIds: readonly string[] | null
  readonly blocks: readonly (DayBlock & {
    readonly subcolumn: number
    readonly subcolumns: number
  })[]
  /** What may still be booked; nothing of what is over. */
  readonly freeSlots: readonly MinuteSpan[]
  /** What of this bay alone is closed. */
  readonly closed: readonly ClosedBlock[]
  readonly load: BayLoad
}

export type DayLayout = {
  /** Undefined where nothing is open and no car comes. */
  readonly hours: OpeningHours | undefined
  /** Of the whole shop. */
  readonly closed: readonly ClosedBlock[]
  /** Bays by position, last the lane of what is not placed. */
  readonly columns: readonly DayColumn[]
  /** All that is shown, by time: what was cancelled or not confirmed is not. */
  readonly blocks: readonly DayBlock[]
  readonly inactive: readonly DayBlock[]
  /** The shop's clock; undefined on another date. */
  readonly nowMinute: number | undefined
}

/** A shorter block has no room for its words. */
const shortestMissed = 30

const inactiveStates = new Set(['cancelled', 'not_confirmed'])

/** Whether a car takes its bay's time. */
export function isOccupyingBay({ state }: DayBooking): boolean {
  return occupiesBay(state)
}

/** What the day view draws of a date. `usual` are the week's hours: what a closure takes off them is shown. */
export function layOutDay(day: ShopDay, usual: OpeningHours | null | undefined): DayLayout {
  const all = day.bookings.map((booking) => toDayBlock(day.day, booking))
  const active = all.filter(({ booking }) => !inactiveStates.has(booking.state))
  const open = openSomewhere(day)
  const hasGrid = open.length > 0 || active.length > 0
  const hours = hoursOf(day.day, [...open, ...(usual && hasGrid ? [usual] : [])], active)
  const blocks = hours ? active.map((block) => cutTo(hours, block)) : active
  return {
    hours,
    closed: hours ? closedOf(day, hours, open, null) : [],
    columns: hours ? columnsOf(day, blocks, hours) : [],
    blocks,
    inactive: all.filter(({ booking }) => inactiveStates.has(booking.state)),
    nowMinute: day.now.slice(0, 10) === day.day ? minuteOnDate(day.day, day.now) : undefined,
  }
}

/** A night in the shop is no reason to show it: only when a vehicle comes and when it leaves may be outside the hours. */
function hoursOf(
  date: string,
  open: readonly OpeningHours[],
  blocks: readonly DayBlock[],
): OpeningHours | undefined {
  const ends = blocks.flatMap((block) => {
    const { startsAtMinute, endsAtMinute, booking, isContinued } = block
    const isLastDay = booking.ends_at.startsWith(date)
    if (!isContinued && isLastDay) return block
    if (!isContinued) return { startsAtMinute, endsAtMinute: Math.min(startsAtMinute + 30, 1440) }
    return isLastDay ? { startsAtMinute: Math.max(endsAtMinute - 30, 0), endsAtMinute } : []
  })
  return hoursShown(open, ends) ?? hoursShown([], blocks)
}

function cutTo({ opensAtMinute, closesAtMinute }: OpeningHours, block: DayBlock): DayBlock {
  return {
    ...block,
    startsAtMinute: Math.max(block.startsAtMinute, opensAtMinute),
    endsAtMinute: Math.min(block.endsAtMinute, closesAtMinute),
  }
}

/** A special opening may be of one bay alone. */
function openSomewhere({ open, bays }: ShopDay): OpeningHours[] {
  return [...open, ...bays.filter((bay) => bay.is_active).flatMap((bay) => bay.open)]
}

function toDayBlock(date: string, booking: DayBooking): DayBlock {
  return {
    booking,
    isContinued: booking.starts_at.slice(0, 10) < date,
    startsAtMinute: minuteOnDate(date, booking.starts_at),
    endsAtMinute: minuteOnDate(date, booking.ends_at),
  }
}

function columnsOf(day: ShopDay, blocks: readonly DayBlock[], hours: OpeningHours): DayColumn[] {
  const blocksIn = (bayId: string | null) =>
    blocks.filter(({ booking }) => booking.bay_id === bayId)
  const bays = day.bays.filter((bay) => bay.is_active || blocksIn(bay.id).length > 0)
  const columns = bays.map((bay) => bayColumn(day, bay, blocksIn(bay.id), hours))
  const waiting = blocksIn(null)
  const unplaced = {
    bayId: null,
    name: 'No bay',
    technician: null,
    serviceIds: null,
    blocks: assignSubcolumns(waiting),
    freeSlots: [],
    closed: [],
    load: loadOf(day, [], waiting),
  }
  return [...columns, unplaced]
}

function bayColumn(
  day: ShopDay,
  bay: ShopDay['bays'][number],
  blocks: readonly DayBlock[],
  hours: OpeningHours,
): DayColumn {
  const open = bay.is_active ? bay.open : []
  const from = bookableFrom(day)
  const shown = blocks.map((block) => endMissed(block, from))
  const shopClosed = closedSpans(hours, openSomewhere(day))
  return {
    bayId: bay.id,
    name: bay.name,
    technician: bay.technician,
    serviceIds: bay.is_active ? bay.service_ids : [],
    blocks: assignSubcolumns(shown),
    freeSlots: freeSpans(open, shown, from),
    closed: closedOf(day, hours, open, bay.id).filter(
      (span) => !shopClosed.some((other) => contains(other, span)),
    ),
    load: loadOf(day, open, blocks),
  }
}

/** A no-show gives the rest of its time away: it ends where that may be booked, so that both are seen. */
function endMissed(block: DayBlock, fromMinute: number): DayBlock {
  if (isOccupyingBay(block.booking)) return block
  const end = Math.max(block.startsAtMinute + shortestMissed, fromMinute)
  return { ...block, endsAtMinute: Math.min(block.endsAtMinute, end) }
}

/** By phone any quarter of an hour may be booked. */
function bookableFrom({ day, now }: ShopDay): number {
  return Math.ceil(minuteOnDate(day, now) / 15) * 15
}

const contains = (outer: MinuteSpan, inner: MinuteSpan) =>
  outer.startsAtMinute <= inner.startsAtMinute && inner.endsAtMinute <= outer.endsAtMinute

function closedOf(
  day: ShopDay,
  hours: OpeningHours,
  open: readonly OpeningHours[],
  bayId: string | null,
): ClosedBlock[] {
  const closures = day.closures.filter(
    (closure) => !closure.is_open && (closure.bay_id === null || closure.bay_id === bayId),
  )
  return closedSpans(hours, open).map(({ startsAtMinute, endsAtMinute }) => ({
    startsAtMinute,
    endsAtMinute,
    isAllDay: open.length === 0,
    reason:
      closures.find(
        (closure) =>
          minuteOnDate(day.day, closure.starts_at) < endsAtMinute &&
          minuteOnDate(day.day, closure.ends_at) > startsAtMinute,
      )?.reason ?? '',
  }))
}

function loadOf(
  { day }: ShopDay,
  open: readonly OpeningHours[],
  blocks: readonly DayBlock[],
): BayLoad {
  const vehicles = blocks
    .filter(({ booking }) => isOccupyingBay(booking))
    .map(({ startsAtMinute, endsAtMinute, booking }) => ({
      startsAtMinute,
      endsAtMinute,
      endsAt: booking.ends_at,
    }))
  return bayLoad(day, open, vehicles)
}

/** Which car is open in the panel, and how another is opened. */
export type SelectionState = {
  readonly chosenId: string | undefined
  readonly onChoose: (bookingId: string) => void
  /** Books a caller for a gap. */
  readonly onBook: (startsAtMinute: number, bayId: string) => void
}
