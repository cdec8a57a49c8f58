import type { EstimateProblem } from '#contracts/estimates/estimates.ts'
import type { EstimateForm } from './estimate-form.ts'

/** Whether a field of the customer or the vehicle solves the problem. */
export const isSolvedByField = ({ code }: EstimateProblem) => code in fields

/** The `data-cell` of the field that solves a problem of the customer or the vehicle. */
export function fieldOfProblem({ code }: EstimateProblem, form: EstimateForm): string {
  return fields[code]?.(form) ?? 'customer'
}

const vehicleNames = ['year', 'make', 'model'] as const

const fields: Partial<Record<EstimateProblem['code'], (form: EstimateForm) => string>> = {
  name_missing: () => 'customer',
  vehicle_missing: ({ vehicle }) =>
    `vehicle:${vehicleNames.find((name) => vehicle[name].trim() === '') ?? 'year'}`,
  odometer_missing: () => 'vehicle:odometerMiles',
}
