/** The vehicle columns of bookings and quote requests; an unknown value is null or an empty text. */
export type Vehicle = {
  readonly vehicle_year: string | null
  readonly vehicle_make: string | null
  readonly vehicle_model: string | null
}

export type ColoredVehicle = Vehicle & { readonly vehicle_color: string | null }

/** The columns of the type `ColoredVehicle`, as part of the `select` of a request to the REST API. */
export const vehicleColumns = 'vehicle_year, vehicle_make, vehicle_model, vehicle_color'

/** The vehicle as '2019 Subaru Outback', or '' when year, make and model are unknown. */
export function vehicleName({ vehicle_year, vehicle_make, vehicle_model }: Vehicle): string {
  return [vehicle_year, vehicle_make, vehicle_model].filter(Boolean).join(' ')
}

/**
 * The vehicle as '2019 Subaru Outback', or 'Not specified' when year, make and model are unknown
 * (docs/product.md 7.3).
 */
export function vehicleText(vehicle: Vehicle): string {
  return vehicleName(vehicle) || 'Not specified'
}

/** The vehicle with its color as '2019 Subaru Outback, Green'; unknown parts are omitted. */
export function vehicleLine(vehicle: ColoredVehicle, separator = ', '): string {
  return [vehicleName(vehicle), vehicle.vehicle_color].filter(Boolean).join(separator)
}
