import type { EstimateProblem } from '#contracts/estimates/estimates.ts'
import type { EstimateForm } from './estimate-form.ts'
import { type EstimateFormTearDown, tearDownCell } from './tear-down-form.ts'

/**
 * Whether a problem of the estimate, such as a missing odometer reading, belongs to a single field. If so, the list of
 * problems shows a button that focuses this field.
 */
export const isSolvedByField = ({ code }: EstimateProblem) => code in fields

/** The `data-cell` of the field that staff must complete to solve a problem of the estimate. */
export function fieldOfProblem({ code, jobKey }: EstimateProblem, form: EstimateForm): string {
  return fields[code]?.(form, jobKey ?? '') ?? 'customer'
}

/** Whether a problem belongs to one of the customer and vehicle fields, which the editor may have hidden. */
export const isFieldOfCustomer = ({ jobKey, code }: EstimateProblem) =>
  jobKey === null && !code.startsWith('payer_')

const vehicleNames = ['year', 'make', 'model'] as const

const tearDownField = (name: keyof EstimateFormTearDown) => (_: EstimateForm, jobKey: string) =>
  tearDownCell(jobKey, name)

const fields: Partial<
  Record<EstimateProblem['code'], (form: EstimateForm, jobKey: string) => string>
> = {
  name_missing: () => 'customer',
  vehicle_missing: ({ vehicle }) =>
    `vehicle:${vehicleNames.find((name) => vehicle[name].trim() === '') ?? 'year'}`,
  odometer_missing: () => 'vehicle:odometerMiles',
  payer_name_missing: () => 'payer:name',
  payer_reference_missing: () => 'payer:reference',
  tear_down_areas_missing: tearDownField('areas'),
  tear_down_price_missing: tearDownField('priceCents'),
  tear_down_reassembly_price_missing: tearDownField('reassemblyPriceCents'),
  tear_down_destroyed_parts_missing: tearDownField('destroyedParts'),
  tear_down_time_missing: tearDownField('reassemblyTime'),
  tear_down_risk_missing: tearDownField('mayPreventReassembly'),
  tear_down_price_differs: tearDownField('priceCents'),
}
