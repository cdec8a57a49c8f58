import type { OpeningHours } from '#domain/calendar/opening-hours.ts'

/**
 * A position in the day's grid: the index of the column from the left, and the start in minutes since
 * midnight.
 */
export type DropTarget = { readonly column: number; readonly startsAtMinute: number }

type Grid = { readonly columns: number; readonly hours: OpeningHours }

/** The distance between two drop targets, in minutes. Phone bookings also start at any quarter of an hour. */
const stepMinutes = 15

/** Rounds a time to the nearest quarter of an hour within the hours of the grid, in minutes since midnight. */
export function snapMinute(
  minute: number,
  { opensAtMinute, closesAtMinute }: OpeningHours,
): number {
  const snapped = Math.round(minute / stepMinutes) * stepMinutes
  return Math.min(Math.max(snapped, opensAtMinute), closesAtMinute - stepMinutes)
}

/**
 * The drop target after a press of an arrow key: 15 minutes earlier or later, or the next column; undefined for any
 * other key.
 */
export function moveDropTarget(
  dropTarget: DropTarget,
  key: string,
  { columns, hours }: Grid,
): DropTarget | undefined {
  const { column, startsAtMinute } = dropTarget
  switch (key) {
    case 'ArrowUp':
      return { column, startsAtMinute: snapMinute(startsAtMinute - stepMinutes, hours) }
    case 'ArrowDown':
      return { column, startsAtMinute: snapMinute(startsAtMinute + stepMinutes, hours) }
    case 'ArrowLeft':
      return { column: Math.max(0, column - 1), startsAtMinute }
    case 'ArrowRight':
      return { column: Math.min(columns - 1, column + 1), startsAtMinute }
    default:
      return undefined
  }
}

export const isSameDropTarget = (one: DropTarget, other: DropTarget) =>
  one.column === other.column && one.startsAtMinute === other.startsAtMinute
