/** What a car takes of a bay on average, work and change together. */
const minutesPerBooking = 75

/** How many cars fit into the minutes that the bays are open together (docs/product.md 13.5). */
export function dailyCapacity(openMinutes: number): number {
  return Math.floor(openMinutes / minutesPerBooking)
}
