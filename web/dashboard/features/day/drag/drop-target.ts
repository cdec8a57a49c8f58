import type { OpeningHours } from '#domain/calendar/opening-hours.ts'

/**
 * A position in the day's grid: the index of the column from the left, and the start in minutes since
 * midnight.
 */
export type DropTarget = { readonly column: number; readonly startsAtMinute: number }

type Grid = { readonly columns: number; readonly hours: OpeningHours }

/** Phone bookings start at any quarter of an hour. */
const stepMinutes = 15

/** The nearest quarter of an hour within the grid, in minutes since midnight. */
export function snapMinute(
  minute: number,
  { opensAtMinute, closesAtMinute }: OpeningHours,
): number {
  const snapped = Math.round(minute / stepMinutes) * stepMinutes
  return Math.min(Math.max(snapped, opensAtMinute), closesAtMinute - stepMinutes)
}

/** The target one step further in the direction of an arrow key; undefined for any other key. */
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
