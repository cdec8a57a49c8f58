import type { OpeningHours } from '#domain/opening-hours.ts'

/** Where in the day's grid a car is put: a lane, by its place from the left, and a minute of the date. */
export type DropTarget = { readonly lane: number; readonly startsAtMinute: number }

type Grid = { readonly lanes: number; readonly hours: OpeningHours }

/** By phone any quarter of an hour may be booked. */
const stepMinutes = 15

/** The nearest quarter of an hour, within the grid. */
export function snapMinute(
  minute: number,
  { opensAtMinute, closesAtMinute }: OpeningHours,
): number {
  const snapped = Math.round(minute / stepMinutes) * stepMinutes
  return Math.min(Math.max(snapped, opensAtMinute), closesAtMinute - stepMinutes)
}

/** Where an arrow moves a car; undefined for any other key. */
export function moveDropTarget(
  spot: DropTarget,
  key: string,
  { lanes, hours }: Grid,
): DropTarget | undefined {
  const { lane, startsAtMinute } = spot
  switch (key) {
    case 'ArrowUp':
      return { lane, startsAtMinute: snapMinute(startsAtMinute - stepMinutes, hours) }
    case 'ArrowDown':
      return { lane, startsAtMinute: snapMinute(startsAtMinute + stepMinutes, hours) }
    case 'ArrowLeft':
      return { lane: Math.max(0, lane - 1), startsAtMinute }
    case 'ArrowRight':
      return { lane: Math.min(lanes - 1, lane + 1), startsAtMinute }
    default:
      return undefined
  }
}

export const isSameDropTarget = (one: DropTarget, other: DropTarget) =>
  one.lane === other.lane && one.startsAtMinute === other.startsAtMinute
