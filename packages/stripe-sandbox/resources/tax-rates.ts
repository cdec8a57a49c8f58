import {
  decimal,
  fields,
  flag,
  object,
  oneOf,
  type ParamsOf,
  required,
  text,
} from '../api/params.ts'
import { invalidRequest } from '../api/api-error.ts'
import { type Call, route } from '../api/route.ts'
import { newId } from '../objects/new-id.ts'
import type { WireTaxRate } from '../objects/wire.ts'

const rateFields = {
  country: text(2),
  description: text(),
  display_name: required(text(50)),
  inclusive: required(flag()),
  jurisdiction: text(50),
  percentage: required(decimal()),
  state: text(2),
  tax_type: oneOf('sales_tax'),
}

/** The fields of a tax rate that a client sends together with an amount of tax. */
export const taxRateData = object(rateFields)
export type TaxRateData = ParamsOf<typeof rateFields>

const retrieve = route('GET /v1/tax_rates/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('tax_rate', id),
)

export const taxRateRoutes = [retrieve]

/**
 * Returns the tax rate whose fields equal `data`, or creates this tax rate. As at Stripe, a tax rate from `data` is
 * inactive: it describes a given amount of tax and cannot be used to calculate other amounts.
 */
export async function findOrCreateTaxRate(
  { store, now, emit }: Call,
  data: TaxRateData,
): Promise<WireTaxRate> {
  const percentage = readPercentage(data.percentage)
  const attributes = {
    country: data.country ?? null,
    description: data.description ?? null,
    display_name: data.display_name,
    inclusive: data.inclusive,
    jurisdiction: data.jurisdiction ?? null,
    percentage,
    state: data.state ?? null,
    tax_type: data.tax_type ?? null,
  }
  const [existing] = await store.all('tax_rate', attributes)
  if (existing) return existing
  const rate: WireTaxRate = {
    id: newId('txr'),
    object: 'tax_rate',
    active: false,
    created: now,
    effective_percentage: null,
    flat_amount: null,
    jurisdiction_level: null,
    livemode: false,
    metadata: {},
    rate_type: 'percentage',
    ...attributes,
  }
  await emit('tax_rate.created', await store.insert(rate))
  return rate
}

/** Parses a percentage from 0 to 100 with at most four decimal places. */
function readPercentage(input: string): number {
  const percentage = Number(input)
  if (percentage >= 0 && percentage <= 100 && /^\d+(\.\d{1,4})?$/.test(input)) return percentage
  throw invalidRequest(`Invalid decimal: ${input}`, 'parameter_invalid_decimal', 'percentage')
}
