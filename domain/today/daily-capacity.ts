/** The average time of a vehicle in a bay, including the change of vehicles. */
const minutesPerBooking = 75

/** How many vehicles fit into the open minutes of all bays (docs/product.md 13.5). */
export function dailyCapacity(openMinutes: number): number {
  return Math.floor(openMinutes / minutesPerBooking)
}
