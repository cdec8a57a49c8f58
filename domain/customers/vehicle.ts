/** The columns of a vehicle, in bookings and in quote requests; what nobody gave is null or empty. */
export type Vehicle = {
  readonly vehicle_year: string | null
  readonly vehicle_make: string | null
  readonly vehicle_model: string | null
}

export type ColoredVehicle = Vehicle & { readonly vehicle_color: string | null }

/** '2019 Subaru Outback', or '' when nothing of it is known. */
export function vehicleName({ vehicle_year, vehicle_make, vehicle_model }: Vehicle): string {
  return [vehicle_year, vehicle_make, vehicle_model].filter(Boolean).join(' ')
}

/** '2019 Subaru Outback', or 'Not specified' when nothing of it is known (docs/product.md 7.3). */
export function vehicleText(vehicle: Vehicle): string {
  return vehicleName(vehicle) || 'Not specified'
}

/** '2019 Subaru Outback, Green', with what of it is known. */
export function vehicleLine(vehicle: ColoredVehicle, separator = ', '): string {
  return [vehicleName(vehicle), vehicle.vehicle_color].filter(Boolean).join(separator)
}
