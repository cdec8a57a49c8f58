import { accepted, refused, type Result } from '#domain/result.ts'
import { cleanLines, cleanLine, emptyToNull } from '#domain/text/text-input.ts'

/** The visitor's input in the quote form before trimming and validation. */
export type QuoteForm = {
  name: string
  email: string
  phone: string
  vehicleYear: string
  vehicleMake: string
  vehicleModel: string
  serviceType: string
  description: string
}

export const emptyQuoteForm: QuoteForm = {
  name: '',
  email: '',
  phone: '',
  vehicleYear: '',
  vehicleMake: '',
  vehicleModel: '',
  serviceType: '',
  description: '',
}

/** The choices of the field 'Type of Service': stored value and label (docs/product.md 3.3). */
export const quoteServiceTypes = [
  { value: 'oil-change', label: 'Oil Change' },
  { value: 'brake-service', label: 'Brake Service' },
  { value: 'engine-repair', label: 'Engine Repair' },
  { value: 'transmission', label: 'Transmission Service' },
  { value: 'electrical', label: 'Electrical Issues' },
  { value: 'ac-heating', label: 'A/C & Heating' },
  { value: 'performance', label: 'Performance Upgrade' },
  { value: 'diagnostic', label: 'Diagnostic' },
  { value: 'other', label: 'Other' },
] as const

/** A new row of the table `quote_requests` as a visitor's browser sends it; empty optional fields are null. */
export type NewQuoteRequest = {
  name: string
  email: string
  phone: string | null
  vehicle_year: string
  vehicle_make: string
  vehicle_model: string
  service_type: string | null
  description: string
  status: 'pending'
}

/** The reason why the quote form is not sent: a message of docs/product.md 5.2 and every field to mark. */
export type QuoteRefusal = {
  title: string
  message: string
  fields: (keyof QuoteForm)[]
}

/** The maximum length of each field in characters, as in the database. The form sets this length as `maxlength`. */
export const quoteFieldLimits: Record<keyof QuoteForm, number> = {
  name: 200,
  email: 254,
  phone: 40,
  vehicleYear: 20,
  vehicleMake: 60,
  vehicleModel: 60,
  serviceType: 40,
  description: 5000,
}

/**
 * Validates in the order of docs/product.md 5.2: the customer and the description, then the vehicle. The last check
 * requires an '@' in the email address, as the database does, and uses the message of the booking form.
 */
export function checkQuoteForm(form: QuoteForm): Result<NewQuoteRequest, QuoteRefusal> {
  const isBlank = (field: keyof QuoteForm) => cleanLine(form[field]) === ''
  const missing = (['name', 'email', 'description'] as const).filter(isBlank)
  if (missing.length > 0) {
    return refused({
      title: 'Error',
      message: 'Please fill in all required fields.',
      fields: missing,
    })
  }
  const vehicle = (['vehicleYear', 'vehicleMake', 'vehicleModel'] as const).filter(isBlank)
  if (vehicle.length > 0) {
    return refused({
      title: 'Vehicle Details Required',
      message: 'Please enter vehicle year, make, and model.',
      fields: vehicle,
    })
  }
  if (!form.email.includes('@')) {
    return refused({
      title: 'Valid Email Required',
      message: 'Please enter a valid email address.',
      fields: ['email'],
    })
  }
  return accepted(toRow(form))
}

function toRow(form: QuoteForm): NewQuoteRequest {
  return {
    name: cleanLine(form.name),
    email: cleanLine(form.email),
    phone: emptyToNull(cleanLine(form.phone)),
    vehicle_year: cleanLine(form.vehicleYear),
    vehicle_make: cleanLine(form.vehicleMake),
    vehicle_model: cleanLine(form.vehicleModel),
    service_type: emptyToNull(cleanLine(form.serviceType)),
    description: cleanLines(form.description),
    status: 'pending',
  }
}

/** The label of a stored service type. An unknown value is returned unchanged; null becomes 'Not specified'. */
export function quoteServiceLabel(value: string | null): string {
  if (!value) return 'Not specified'
  return quoteServiceTypes.find((option) => option.value === value)?.label ?? value
}
