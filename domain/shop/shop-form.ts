import { isEmailAddress } from '#domain/customers/email-address.ts'
import { parsePhone, phoneNumber } from '#domain/customers/phone-number.ts'
import { cleanLine } from '#domain/text/text-input.ts'

/** The owner's input in the form of the shop before trimming (docs/product.md 11.1). */
export type ShopForm = {
  name: string
  legalName: string
  kind: string
  tagline: string
  lead: string
  experts: string
  turnaround: string
  warranty: string
  street: string
  city: string
  state: string
  postalCode: string
  /** The country as ISO 3166-1 alpha-2 code. */
  country: string
  /** The position of the shop in degrees north and east: '37.4189, -122.0864'; empty while unknown. */
  position: string
  phone: string
  billingPhone: string
  bookingEmail: string
  billingEmail: string
  supportEmail: string
  timeZone: string
  appointmentMinutes: string
  quoteReplyHours: string
  /** URLs of pages about the shop on other sites, one URL on each line. */
  links: string
}

/** The columns of `public.shop` that the form fills. */
export type ShopColumns = {
  name: string
  legal_name: string
  business_type: string
  tagline: string
  description: string
  experts_text: string
  turnaround_text: string
  warranty_text: string
  street: string
  city: string
  state: string
  postal_code: string
  country: string
  latitude: number | null
  longitude: number | null
  phone: string
  billing_phone: string
  booking_email: string
  billing_email: string
  support_email: string
  time_zone: string
  appointment_minutes: number
  quote_reply_hours: number
  links: string[]
}

export const emptyShopForm: ShopForm = {
  name: '',
  legalName: '',
  kind: '',
  tagline: '',
  lead: '',
  experts: '',
  turnaround: '',
  warranty: '',
  street: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
  position: '',
  phone: '',
  billingPhone: '',
  bookingEmail: '',
  billingEmail: '',
  supportEmail: '',
  timeZone: '',
  appointmentMinutes: '',
  quoteReplyHours: '',
  links: '',
}

/** The maximum length of each field in characters, as in the database. The form sets this length as `maxlength`. */
export const shopFieldLimits: Partial<Record<keyof ShopForm, number>> = {
  name: 60,
  legalName: 100,
  kind: 60,
  tagline: 100,
  lead: 300,
  experts: 200,
  turnaround: 200,
  warranty: 200,
  street: 100,
  city: 60,
  state: 30,
  postalCode: 12,
  country: 2,
  bookingEmail: 254,
  billingEmail: 254,
  supportEmail: 254,
  timeZone: 60,
}

const email = 'Please enter an email address, like hello@your-shop.example.'
const phone = 'Please enter a phone number with its area code.'

/** The error message of each field of the shop form; a field without a message accepts any text. */
export const shopFieldErrors = {
  name: 'Please enter the name of the shop.',
  legalName: 'Please enter the name under which the shop is registered.',
  kind: 'Please enter the kind of shop, for example Auto Repair.',
  experts: 'Please enter a text about your technicians for customers.',
  turnaround: 'Please enter a text about how long repairs take.',
  warranty: 'Please enter the text of your warranty.',
  street: 'Please enter the street and number.',
  city: 'Please enter the city.',
  postalCode: 'Please enter the ZIP code.',
  country: 'Please enter the country as two letters, like US.',
  position: 'Please enter latitude and longitude, like 37.4189, -122.0864.',
  phone,
  billingPhone: phone,
  bookingEmail: email,
  billingEmail: email,
  supportEmail: email,
  timeZone: 'Please choose a time zone from the list, like America/Los_Angeles.',
  appointmentMinutes: 'Please enter a number of minutes from 5 to 720.',
  quoteReplyHours: 'Please enter a number of hours from 1 to 336.',
  links: 'Please enter at most ten web addresses, one on each line, each beginning with https://.',
} as const satisfies Partial<Record<keyof ShopForm, string>>

type CheckedField = keyof typeof shopFieldErrors

const hasText = (text: string) => cleanLine(text) !== ''
const isPhone = (text: string) => parsePhone(text) !== null
const isWithin = (text: string, least: number, most: number) =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

const accepts: Record<CheckedField, (text: string) => boolean> = {
  name: hasText,
  legalName: hasText,
  kind: hasText,
  experts: hasText,
  turnaround: hasText,
  warranty: hasText,
  street: hasText,
  city: hasText,
  postalCode: hasText,
  country: (text) => /^[a-z]{2}$/i.test(text.trim()),
  position: (text) => text.trim() === '' || parsePosition(text) !== undefined,
  phone: isPhone,
  billingPhone: isPhone,
  bookingEmail: isEmailAddress,
  billingEmail: isEmailAddress,
  supportEmail: isEmailAddress,
  timeZone: isTimeZone,
  appointmentMinutes: (text) => isWithin(text, 5, 720),
  quoteReplyHours: (text) => isWithin(text, 1, 336),
  links: (text) => {
    const links = linesOf(text)
    return links.length <= 10 && links.every((link) => /^https:\/\/[^\s<>"]{4,292}$/.test(link))
  },
}

/** Returns the error message of every field that the database would refuse; empty when the form can be saved. */
export function checkShopForm(form: ShopForm): Partial<Record<keyof ShopForm, string>> {
  const fields = Object.keys(shopFieldErrors) as CheckedField[]
  const wrong = fields.filter((field) => !accepts[field](form[field]))
  return Object.fromEntries(wrong.map((field) => [field, shopFieldErrors[field]]))
}

/** Converts a form that passed `checkShopForm` to columns of `public.shop`. */
export function shopColumnsOf(form: ShopForm): ShopColumns {
  const position =
    form.position.trim() === '' ? { latitude: null, longitude: null } : parsePosition(form.position)
  if (!position) throw new RangeError('The position is not a latitude and a longitude.')
  return {
    name: cleanLine(form.name),
    legal_name: cleanLine(form.legalName),
    business_type: cleanLine(form.kind),
    tagline: cleanLine(form.tagline),
    description: cleanLine(form.lead),
    experts_text: cleanLine(form.experts),
    turnaround_text: cleanLine(form.turnaround),
    warranty_text: cleanLine(form.warranty),
    street: cleanLine(form.street),
    city: cleanLine(form.city),
    state: cleanLine(form.state),
    postal_code: cleanLine(form.postalCode),
    country: form.country.trim().toUpperCase(),
    ...position,
    phone: parsePhone(form.phone) ?? '',
    billing_phone: parsePhone(form.billingPhone) ?? '',
    booking_email: cleanLine(form.bookingEmail),
    billing_email: cleanLine(form.billingEmail),
    support_email: cleanLine(form.supportEmail),
    time_zone: form.timeZone.trim(),
    appointment_minutes: Number(form.appointmentMinutes),
    quote_reply_hours: Number(form.quoteReplyHours),
    links: linesOf(form.links),
  }
}

/** Converts a stored shop to the values of its form. */
export function shopFormOf(row: ShopColumns): ShopForm {
  return {
    name: row.name,
    legalName: row.legal_name,
    kind: row.business_type,
    tagline: row.tagline,
    lead: row.description,
    experts: row.experts_text,
    turnaround: row.turnaround_text,
    warranty: row.warranty_text,
    street: row.street,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
    country: row.country,
    position: row.latitude === null ? '' : `${row.latitude}, ${row.longitude}`,
    phone: phoneNumber(row.phone).display,
    billingPhone: phoneNumber(row.billing_phone).display,
    bookingEmail: row.booking_email,
    billingEmail: row.billing_email,
    supportEmail: row.support_email,
    timeZone: row.time_zone,
    appointmentMinutes: String(row.appointment_minutes),
    quoteReplyHours: String(row.quote_reply_hours),
    links: row.links.join('\n'),
  }
}

/** Parses '37.4189, -122.0864' to degrees; undefined when the text is not a latitude and a longitude. */
function parsePosition(text: string): { latitude: number; longitude: number } | undefined {
  const [, north, east] =
    /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ?? []
  const [latitude, longitude] = [Number(north), Number(east)]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined
}

/**
 * Returns whether a text is a full IANA time zone name. The form refuses abbreviations and offsets, because they do not
 * define daylight-saving time.
 */
export function isTimeZone(text: string): boolean {
  const name = text.trim()
  if (name !== 'UTC' && !/^[A-Z][A-Za-z]+\/[A-Za-z/_+0-9-]+$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const linesOf = (text: string) =>
  text
    .split(/\s+/)
    .map((line) => cleanLine(line))
    .filter(Boolean)
