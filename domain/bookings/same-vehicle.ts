import { type VehicleFacts, vehicleState } from './vehicle-state.ts'

/** The time of a vehicle at the shop: from `starts_at` until `ends_at`, yyyy-MM-ddTHH:mm:ss in shop time. */
export type VehicleTime = {
  /** The id of the vehicle's record; null while the vehicle is unknown. */
  readonly vehicle_id: string | null
  readonly starts_at: string
  readonly ends_at: string
}

type KnownBooking = VehicleTime & { readonly id: string; readonly vehicle_facts: VehicleFacts }

const closedStates = new Set(['picked_up', 'cancelled', 'no_show', 'not_confirmed'])

const isOpen = ({ vehicle_facts }: KnownBooking) => !closedStates.has(vehicleState(vehicle_facts))

/** The open bookings of the same vehicle whose time at the shop overlaps the given period (docs/product.md 12.16). */
export function findBookingsOfVehicle<Known extends KnownBooking>(
  bookings: readonly Known[],
  { vehicle_id, starts_at, ends_at }: VehicleTime,
): readonly Known[] {
  if (!vehicle_id) return []
  return bookings.filter(
    (known) =>
      known.vehicle_id === vehicle_id &&
      known.starts_at < ends_at &&
      starts_at < known.ends_at &&
      isOpen(known),
  )
}

/**
 * The other open bookings of the same vehicle whose time at the shop overlaps that of `booking`; empty when `booking`
 * is not open.
 */
export function findOtherBookingsOfVehicle<Known extends KnownBooking>(
  bookings: readonly Known[],
  booking: Known,
): readonly Known[] {
  const open = findBookingsOfVehicle(bookings, booking)
  return open.includes(booking) ? open.filter((other) => other !== booking) : []
}
