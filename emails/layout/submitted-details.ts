import { parsePhone, phoneNumber } from '#domain/customers/phone-number.ts'
import { harmlessModel, knownColor } from '#domain/customers/vehicle-details.ts'
import { formatKnownVehicle } from '#domain/customers/vehicle-make.ts'

/** The text fields that a visitor submitted with a booking, as stored in the database. */
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
 * Returns the parts of the visitor's text that an email may repeat, because these parts cannot contain a message to a
 * stranger (docs/decisions/0014-emails-visitors-can-trigger.md). The visit page, to which the email links, shows the
 * rest of the text.
 */
export function typedFacts(details: TypedDetails): Detail[] {
  const { customerPhone, hasNotes } = details
  return [
    ['Vehicle', vehicleText(details)],
    ...(customerPhone ? [['Phone', phoneText(customerPhone)] as const] : []),
    ...(hasNotes ? [['Your note', elsewhere] as const] : []),
  ]
}

/**
 * Returns the vehicle as '2019 Subaru Outback, blue'. A reference to the visit page replaces parts that could contain a
 * message.
 */
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

/**
 * Returns a North American phone number in the shop's own format. A reference to the visit page replaces any other
 * text.
 */
function phoneText(details: string): string {
  const number = parsePhone(details)
  return number !== null && /^\+1[2-9]\d{2}[2-9]\d{6}$/.test(number)
    ? phoneNumber(number).display
    : elsewhere
}
