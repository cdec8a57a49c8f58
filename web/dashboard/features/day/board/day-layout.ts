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
import { findOtherBookingsOfVehicle } from '#domain/bookings/same-vehicle.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'

/** A booking and the part of the shown date during which the booking takes place. */
export type DayBlock = MinuteSpan & {
  readonly booking: DayBooking
  /** Whether the booking began on an earlier date. */
  readonly isContinued: boolean
  /** Whether the vehicle has another open booking at an overlapping time. */
  readonly isBookedTwice: boolean
}

export type ClosedBlock = MinuteSpan & {
  /** Whether the shop is closed for the whole date; in the column of a bay, whether this bay is closed. */
  readonly isAllDay: boolean
  /** The reason of the closure; empty for a time outside the regular opening hours. */
  readonly reason: string
}

export type DayColumn = {
  /** The id of the bay; null for the last column, which shows bookings without a bay. */
  readonly bayId: string | null
  readonly name: string
  /** The technician of the bay; null if none is set. */
  readonly technician: string | null
  /** The ids of the services that the bay offers; null for all. The list is empty for a bay that is switched off. */
  readonly serviceIds: readonly string[] | null
  readonly blocks: readonly (DayBlock & {
    readonly subcolumn: number
    readonly subcolumns: number
  })[]
  /** The intervals in which staff can still book an appointment. Intervals in the past are left out. */
  readonly freeSlots: readonly MinuteSpan[]
  /** The closures of this bay only. `DayLayout.closed` contains the closures of the whole shop. */
  readonly closed: readonly ClosedBlock[]
  readonly load: BayLoad
}

export type DayLayout = {
  /** The hours that the grid spans; undefined on a closed date without bookings. */
  readonly hours: OpeningHours | undefined
  /** Closures of the whole shop. */
  readonly closed: readonly ClosedBlock[]
  /** The bays by position, then the column of bookings without a bay. */
  readonly columns: readonly DayColumn[]
  /** The bookings of the day by time, except cancelled and unconfirmed ones, which are in `inactive`. */
  readonly blocks: readonly DayBlock[]
  readonly inactive: readonly DayBlock[]
  /**
   * The current time as minutes since midnight in the shop's time zone; undefined on any other date than
   * today.
   */
  readonly nowMinute: number | undefined
}

/**
 * The minimum height of the block of a no-show (a customer who did not come), in minutes of the grid. A lower block
 * would have no room for its text.
 */
const shortestMissed = 30

const inactiveStates = new Set(['cancelled', 'not_confirmed'])

/**
 * Calculates the columns, blocks and hours that the day view draws for one date. `usual` contains the regular hours of
 * that weekday. The grid includes these hours even if the shop is closed on the date, so that the closure is visible.
 */
export function layOutDay(day: ShopDay, usual: OpeningHours | null | undefined): DayLayout {
  const all = day.bookings.map((booking) => toDayBlock(day, booking))
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

/**
 * The hours that the grid spans. If a vehicle stays overnight, the grid includes its arrival and its departure, but not
 * the night between them.
 */
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

/**
 * Returns the opening hours of the shop and of each active bay. The hours of the bays are needed because special hours
 * can open a single bay while the rest of the shop is closed.
 */
function openSomewhere({ open, bays }: ShopDay): OpeningHours[] {
  return [...open, ...bays.filter((bay) => bay.is_active).flatMap((bay) => bay.open)]
}

function toDayBlock({ day: date, bookings }: ShopDay, booking: DayBooking): DayBlock {
  return {
    booking,
    isContinued: booking.starts_at.slice(0, 10) < date,
    isBookedTwice: findOtherBookingsOfVehicle(bookings, booking).length > 0,
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

/**
 * When a customer does not come, the rest of the slot becomes free. The block of a no-show ends where the free slot
 * begins, so that the block and the free slot are visible.
 */
function endMissed(block: DayBlock, fromMinute: number): DayBlock {
  if (occupiesBay(block.booking.state)) return block
  const end = Math.max(block.startsAtMinute + shortestMissed, fromMinute)
  return { ...block, endsAtMinute: Math.min(block.endsAtMinute, end) }
}

/**
 * The next quarter of an hour from now, in minutes since midnight. Phone bookings can start at any quarter of an hour.
 */
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
    .filter(({ booking }) => occupiesBay(booking.state))
    .map(({ startsAtMinute, endsAtMinute, booking }) => ({
      startsAtMinute,
      endsAtMinute,
      endsAt: booking.ends_at,
    }))
  return bayLoad(day, open, vehicles)
}

/**
 * The id of the booking with the open panel, and the callbacks that open the panel of a booking or book a free slot.
 */
export type SelectionState = {
  readonly chosenId: string | undefined
  readonly onChoose: (bookingId: string) => void
  /** Opens the phone booking panel for a free slot. */
  readonly onBook: (startsAtMinute: number, bayId: string) => void
}
