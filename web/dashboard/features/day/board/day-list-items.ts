import type { MinuteSpan } from '#domain/calendar/day-spans.ts'
import type { DayBlock, ClosedBlock, DayLayout, DayColumn } from './day-layout.ts'

/** One item in the list of a day on a phone: a booking, a free slot, a closure or the current time. */
export type DayListItem =
  | { readonly kind: 'now'; readonly minute: number }
  | { readonly kind: 'closed'; readonly minute: number; readonly closed: ClosedBlock; bay?: string }
  | {
      readonly kind: 'block'
      readonly minute: number
      readonly block: DayBlock
      readonly bay: string
    }
  | {
      readonly kind: 'freeSlot'
      readonly minute: number
      readonly freeSlot: MinuteSpan
      readonly column: DayColumn
    }

const order: Readonly<Record<DayListItem['kind'], number>> = {
  now: 0,
  closed: 1,
  block: 2,
  freeSlot: 3,
}

/**
 * Whether a booking of today is finished: the vehicle was picked up, or the customer did not come. The list collapses
 * finished bookings.
 */
function isOver({ booking }: DayBlock, plan: DayLayout): boolean {
  return plan.nowMinute !== undefined && ['completed', 'no_show'].includes(booking.state)
}

/**
 * Merges the bookings and free slots of all bays into one list in order of time and returns finished bookings
 * separately. `only` limits the list to one bay by its id, or to bookings without a bay (null).
 */
export function listDayItems(
  plan: DayLayout,
  only?: string | null,
): { lines: DayListItem[]; over: (DayListItem & { kind: 'block' })[] } {
  const columns = plan.columns.filter(({ bayId }) => only === undefined || bayId === only)
  const blocks = columns.flatMap(bookingItems)
  const shop = plan.closed.map((closed) => closedLine(closed))
  const bays = columns.flatMap((column) =>
    column.closed.map((closed) => closedLine(closed, column.name)),
  )
  const now = plan.nowMinute === undefined ? [] : [{ kind: 'now' as const, minute: plan.nowMinute }]
  const lines: DayListItem[] = [
    ...now,
    ...shop,
    ...bays,
    ...blocks.filter(({ block }) => !isOver(block, plan)),
    ...columns.flatMap(freeSlotItems),
  ]
  return {
    lines: lines.toSorted((a, b) => a.minute - b.minute || order[a.kind] - order[b.kind]),
    over: blocks.filter(({ block }) => isOver(block, plan)).toSorted((a, b) => a.minute - b.minute),
  }
}

function freeSlotItems(column: DayColumn): DayListItem[] {
  return column.freeSlots.map((freeSlot) => ({
    kind: 'freeSlot',
    minute: freeSlot.startsAtMinute,
    freeSlot,
    column,
  }))
}

function bookingItems(column: DayColumn) {
  return column.blocks.map((block) => ({
    kind: 'block' as const,
    minute: block.startsAtMinute,
    block,
    bay: column.bayId === null ? 'No bay yet' : column.name,
  }))
}

function closedLine(closed: ClosedBlock, bay?: string): DayListItem {
  return { kind: 'closed', minute: closed.startsAtMinute, closed, ...(bay ? { bay } : {}) }
}
