import { parseCents } from '#domain/money/money.ts'
import { cleanLines, cleanLine } from '#domain/text/text-input.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { reasonOf } from '../kit/save-errors.ts'
import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Service, ServiceToSave } from './services-api.ts'

/** The values of a service as the user typed them. */
export type ServiceForm = {
  name: string
  description: string
  minutes: string
  /** The price in US dollars; '' means no price. */
  price: string
  /** The ids of the bays that can do the service, joined by commas; '' means any bay. */
  where: string
  isActive: boolean
}

export const emptyServiceForm: Saved<ServiceForm> = {
  form: { name: '', description: '', minutes: '60', price: '', where: '', isActive: true },
  version: 0,
}

/**
 * Maximum lengths in characters. Fields for numbers accept more digits than any valid number has, so that a too large
 * number gets an error instead of being cut off.
 */
export const serviceLimits = { name: 100, description: 1000, minutes: 10, price: 15 } as const

export const serviceLabels: Readonly<Record<keyof ServiceForm, string>> = {
  name: 'Name',
  description: 'Description',
  minutes: 'Minutes',
  price: 'Price from',
  where: 'Where',
  isActive: 'Available online',
}

export function toForm(service: Service): Saved<ServiceForm> {
  const { price_from_cents: cents } = service
  return {
    version: service.version,
    form: {
      name: service.name,
      description: service.description,
      minutes: String(service.duration_minutes),
      price: cents === null ? '' : (cents / 100).toFixed(2).replace(/\.00$/, ''),
      where: service.bayIds.join(','),
      isActive: service.is_active,
    },
  }
}

/** The price in cents; null if the service has no price, undefined if the typed price is invalid. */
export function priceOf({ price }: ServiceForm): number | null | undefined {
  const input = price.trim()
  if (input === '') return null
  const cents = /^\$?[\d,]+(\.\d{1,2})?$/.test(input) ? parseCents(input) : undefined
  return cents !== undefined && cents >= 1 && cents <= 10_000_000 ? cents : undefined
}

const minutesOf = ({ minutes }: ServiceForm) =>
  /^\d{1,3}$/.test(minutes.trim()) ? Number(minutes) : Number.NaN

type Refusal = FieldErrors<ServiceForm>
const refusal = (field: keyof ServiceForm, message: string): Refusal => ({ [field]: message })

const nameMissing = refusal('name', 'Please enter a name.')
const minutesWrong = refusal('minutes', 'Please enter whole minutes, from 5 to 720.')
const priceWrong = refusal(
  'price',
  'Please enter a price in dollars up to 100,000, like 89 or 89.50.',
)
const nameTaken = refusal('name', 'Another service has this name.')
const lastOne = refusal(
  'isActive',
  'Customers need at least one service to book. Show or add another service first.',
)

/** Returns the first error in the form. The page sends no request while the form has an error. */
export function checkService(form: ServiceForm): Refusal {
  if (cleanLine(form.name) === '') return nameMissing
  const minutes = minutesOf(form)
  if (!(minutes >= 5 && minutes <= 720)) return minutesWrong
  return priceOf(form) === undefined ? priceWrong : {}
}

/**
 * The messages for changes that the database refused. The key is the violated constraint, or the hint in the database's
 * error.
 */
const refusals: Readonly<Record<string, Refusal>> = {
  services_name_key: nameTaken,
  services_name_is_text: nameMissing,
  services_duration_minutes_in_range: minutesWrong,
  services_price_from_cents_in_range: priceWrong,
  services_description_check: refusal('description', 'Please enter at most 1,000 characters.'),
  services_description_is_plain: refusal('description', 'Please enter plain text.'),
  last_active_service: lastOne,
}

/** The field that caused the database's refusal, with the message; undefined if no field did. */
export function refusalOfService(error: unknown): Refusal | undefined {
  const rule = reasonOf(error)
  if (rule === 'bay_without_service' && error instanceof Error) {
    return refusal('where', `${error.message} Switch that bay off in Bays instead.`)
  }
  return refusals[rule]
}

/** The request for a valid form. The request contains the bays only if the user changed them. */
export function serviceToSave(
  id: string | null,
  form: ServiceForm,
  seen: Saved<ServiceForm>,
): ServiceToSave {
  return {
    service_id: id,
    name: cleanLine(form.name),
    description: cleanLines(form.description),
    duration_minutes: minutesOf(form),
    price_from_cents: priceOf(form) ?? null,
    is_active: form.isActive,
    bay_ids: form.where === seen.form.where ? null : form.where.split(',').filter(Boolean),
    seen_version: id === null ? null : seen.version,
  }
}
