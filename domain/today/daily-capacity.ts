/** The assumed average time, in minutes, that a vehicle occupies a bay, including the change to the next vehicle. */
const minutesPerBooking = 75

/** The number of vehicles that fit into the open minutes of all bays together (docs/product.md 13.5). */
export function dailyCapacity(openMinutes: number): number {
  return Math.floor(openMinutes / minutesPerBooking)
}
