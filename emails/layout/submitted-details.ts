import { parsePhone, phoneNumber } from '#domain/customers/phone-number.ts'
import { harmlessModel, knownColor } from '#domain/customers/vehicle-details.ts'
import { formatKnownVehicle } from '#domain/customers/vehicle-make.ts'

/** What a visitor typed with a booking, as it is stored. */
export type TypedDetails = {
  readonly vehicleYear: string | null
  readonly vehicleMake: string | null
  readonly vehicleModel: string | null
  readonly vehicleColor: string | null
  readonly customerPhone: string | null
  readonly hasNotes: boolean
}

type Detail = readonly [label: string, value: string]

const elsewhere = 'see your appointment page'

/**
 * What a customer typed, as far as it cannot carry a message to the address of somebody else (decision 14). Text that
 * could is not repeated: the page behind the link shows it.
 */
export function typedFacts(details: TypedDetails): Detail[] {
  const { customerPhone, hasNotes } = details
  return [
    ['Vehicle', vehicleText(details)],
    ...(customerPhone ? [['Phone', phoneText(customerPhone)] as const] : []),
    ...(hasNotes ? [['Your note', elsewhere] as const] : []),
  ]
}

/** '2019 Subaru Outback, blue', or what of it is harmless. */
function vehicleText({ vehicleYear, vehicleMake, vehicleModel, vehicleColor }: TypedDetails) {
  const vehicle = formatKnownVehicle(vehicleYear, vehicleMake)
  if (vehicle === '') return elsewhere
  const model = harmlessModel(vehicleModel ?? '')
  const color = knownColor(vehicleColor ?? '')
  const isWhole = (model !== '' || isBlank(vehicleModel)) && (color !== '' || isBlank(vehicleColor))
  const parts = [[vehicle, model].filter(Boolean).join(' '), color, isWhole ? '' : elsewhere]
  return parts.filter(Boolean).join(', ')
}

const isBlank = (text: string | null) => (text ?? '').trim() === ''

/** A North American number in our own spelling. */
function phoneText(details: string): string {
  const number = parsePhone(details)
  return number !== null && /^\+1[2-9]\d{2}[2-9]\d{6}$/.test(number)
    ? phoneNumber(number).display
    : elsewhere
}
