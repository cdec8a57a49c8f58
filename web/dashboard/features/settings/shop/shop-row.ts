import {
  checkShopForm,
  emptyShopForm,
  type ShopColumns,
  shopColumnsOf,
  shopFieldErrors,
  shopFieldLimits,
  type ShopForm,
  shopFormOf,
} from '#domain/shop/shop-form.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { SettingsRow } from '../kit/use-settings-row.ts'

const columns = `name, legal_name, business_type, tagline, description, street, city, state, postal_code, country, latitude, longitude,
  time_zone, phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes,
  quote_reply_hours, experts_text, turnaround_text, warranty_text, version`

const toSaved = (row: ShopColumns & { version: number }): Saved<ShopForm> => ({
  form: shopFormOf(row),
  version: row.version,
})

/** The labels of the fields, also used in the list of unsaved changes. */
export const shopLabels: Readonly<Record<keyof ShopForm, string>> = {
  name: 'Shop name',
  legalName: 'Legal name, on invoices',
  kind: 'Business type',
  tagline: 'Tagline',
  lead: 'Description',
  experts: 'Expert technicians',
  turnaround: 'Fast turnaround',
  warranty: 'Quality guarantee',
  street: 'Street',
  city: 'City',
  state: 'State',
  postalCode: 'ZIP code',
  country: 'Country',
  position: 'Position on the map',
  phone: 'Shop phone',
  billingPhone: 'Billing phone',
  bookingEmail: 'Email for bookings',
  billingEmail: 'Email for invoices',
  supportEmail: 'Email for questions',
  timeZone: 'Time zone',
  appointmentMinutes: 'Usual length of an appointment',
  quoteReplyHours: 'Quotes are answered within',
  links: 'Pages about the shop on other sites',
}

const unseen =
  'This text is too long or has invisible characters. Please shorten it or type it again.'
const fieldError = (field: keyof typeof shopFieldErrors): FieldErrors<ShopForm> => ({
  [field]: shopFieldErrors[field],
})

/** Defines how the form of the shop's details is read, checked and saved. */
export const shopRow: SettingsRow<ShopForm> = {
  section: 'shop',
  empty: emptyShopForm,
  read: async () => {
    const { data } = await requestData((service) => service.from('shop').select(columns).single())
    return toSaved(data)
  },
  write: async (form, version) => {
    const { data } = await requestData((service) =>
      service.from('shop').update(shopColumnsOf(form)).eq('version', version).select(columns),
    )
    return data[0] && toSaved(data[0])
  },
  check: checkShopForm,
  label: (name) => shopLabels[name],
  refusals: {
    shop_name_is_text: fieldError('name'),
    shop_legal_name_is_text: fieldError('legalName'),
    shop_business_type_is_text: fieldError('kind'),
    shop_tagline_is_text: { tagline: unseen },
    shop_description_is_text: { lead: unseen },
    shop_experts_text_is_text: fieldError('experts'),
    shop_turnaround_text_is_text: fieldError('turnaround'),
    shop_warranty_text_is_text: fieldError('warranty'),
    shop_street_is_text: fieldError('street'),
    shop_city_is_text: fieldError('city'),
    shop_state_is_text: { state: unseen },
    shop_postal_code_is_text: fieldError('postalCode'),
    shop_country_is_a_code: fieldError('country'),
    shop_latitude_in_range: fieldError('position'),
    shop_longitude_in_range: fieldError('position'),
    shop_time_zone_is_text: fieldError('timeZone'),
    time_zone_unknown: fieldError('timeZone'),
    shop_phone_is_a_number: fieldError('phone'),
    shop_billing_phone_is_a_number: fieldError('billingPhone'),
    shop_support_email_is_an_address: fieldError('supportEmail'),
    shop_billing_email_is_an_address: fieldError('billingEmail'),
    shop_booking_email_is_an_address: fieldError('bookingEmail'),
    shop_links_are_https_urls: fieldError('links'),
    shop_appointment_minutes_in_range: fieldError('appointmentMinutes'),
    shop_quote_reply_hours_in_range: fieldError('quoteReplyHours'),
  },
  effect: 'Customers now see the new details everywhere. Reload the dashboard to see them here.',
  limits: shopFieldLimits,
}
