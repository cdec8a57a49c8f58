/** The odometer reading as text for documents and pages: 'Odometer: 71,506 mi'. */
export const odometerText = (miles: number): string => `Odometer: ${formatMiles(miles)}`

/** The text in place of the odometer reading on a repair estimate before the vehicle arrives (16 CCR 3353). */
export const unreadOdometer = 'Odometer: read at arrival'

/** The odometer text of an estimate; '' for a towing estimate without a reading. */
export function estimateOdometer(kind: 'repair' | 'towing', miles: number | null): string {
  if (miles !== null) return odometerText(miles)
  return kind === 'repair' ? unreadOdometer : ''
}

const formatMiles = (miles: number) => `${miles.toLocaleString('en-US')} mi`
