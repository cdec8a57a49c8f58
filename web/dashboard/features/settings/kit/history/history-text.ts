import type { SettingsSection } from '#contracts/database.ts'
import type { Json } from '#contracts/database-types.ts'
import { dayNames, formatDate } from '#domain/calendar/calendar-date.ts'
import { formatMinute, formatTime } from '#domain/calendar/clock-time.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatRate } from '#domain/money/tax-rate.ts'
import { phoneNumber } from '#domain/customers/phone-number.ts'
import type { ShopColumns } from '#domain/shop/shop-form.ts'
import type { HistoryLine } from './history-api.ts'

/** The label of one changed column, and its values before and after the change as texts; null for an empty value. */
export type ChangeText = {
  readonly label: string
  readonly from: string | null
  readonly to: string | null
}

/** The label of a column, and the formatter of its stored values. */
type Column = { readonly label: string; readonly format?: (value: string) => string }

const text = (label: string): Column => ({ label })
const minutes = (label: string): Column => ({
  label,
  format: (value) => formatDuration(Number(value)),
})
const yesOrNo = (label: string): Column => ({
  label,
  format: (value) => (value === 'true' ? 'yes' : 'no'),
})
const clock = (label: string): Column => ({ label, format: (value) => formatMinute(Number(value)) })
const dateTime = (label: string): Column => ({
  label,
  format: (value) => formatStoredDateTime(value),
})
const phone = (label: string): Column => ({
  label,
  format: (value) => phoneNumber(value).display,
})
const counted = (label: string, unit: string): Column => ({
  label,
  format: (value) => `${value} ${unit}${value === '1' ? '' : 's'}`,
})

/** The database columns of the shop's details. The compiler reports a new column without a label. */
const shopColumns: Readonly<Record<keyof ShopColumns, Column>> = {
  name: text('Shop name'),
  legal_name: text('Legal name'),
  business_type: text('Business type'),
  tagline: text('Tagline'),
  description: text('Description'),
  experts_text: text('Expert technicians'),
  turnaround_text: text('Fast turnaround'),
  warranty_text: text('Quality guarantee'),
  street: text('Street'),
  city: text('City'),
  state: text('State'),
  postal_code: text('ZIP code'),
  country: text('Country'),
  latitude: text('Latitude'),
  longitude: text('Longitude'),
  time_zone: text('Time zone'),
  phone: phone('Shop phone'),
  billing_phone: phone('Billing phone'),
  support_email: text('Email for questions'),
  billing_email: text('Email for invoices'),
  booking_email: text('Email for bookings'),
  links: text('Links'),
  appointment_minutes: minutes('Usual length of an appointment'),
  quote_reply_hours: counted('Quotes are answered within', 'hour'),
}

/** The columns that the history shows. Columns that are not listed (ids, positions) are left out. */
const columns: Readonly<Record<SettingsSection, Readonly<Record<string, Column>>>> = {
  shop: shopColumns,
  rules: {
    notice_minutes: minutes('Notice'),
    booking_window_days: counted('Booking window', 'day'),
    slot_interval_minutes: minutes('An appointment can start every'),
    change_cutoff_minutes: minutes('Customers can reschedule until'),
    cancel_cutoff_minutes: minutes('Customers can cancel until'),
    notify_shop_of_changes: yesOrNo('Email about changes by customers'),
    reminder_time: {
      label: 'Reminder, the day before',
      format: (value) => formatTime(value),
    },
    online_booking_paused: yesOrNo('Online booking paused'),
    pause_message: text('Pause message'),
    invoice_lookup_requires_email: yesOrNo('Invoice lookup requires the email address'),
    counts_cash_before_expected: yesOrNo('Cash is counted before the expected cash is shown'),
    rounds_cash: yesOrNo('Cash rounding'),
    close_print_format: {
      label: 'Day close is printed on',
      format: (value) => (value === 'letter' ? 'letter' : '80 mm'),
    },
  },
  hours: { opens_minute: clock('Opens'), closes_minute: clock('Closes') },
  closures: {
    starts_at: dateTime('From'),
    ends_at: dateTime('To'),
    is_open: {
      label: 'Kind',
      format: (value) => (value === 'true' ? 'special opening' : 'closure'),
    },
    reason: text('Reason'),
    is_public: yesOrNo('Customers see the reason'),
  },
  bays: {
    name: text('Name'),
    technician: text('Technician'),
    is_active: yesOrNo('Active'),
    service: text('Reserved for'),
  },
  services: {
    name: text('Name'),
    description: text('Description'),
    duration_minutes: minutes('Length'),
    price_from_cents: { label: 'Price from', format: (value) => formatCents(Number(value)) },
    is_active: yesOrNo('Active'),
  },
  estimates: {
    labor_rate_cents: { label: 'Labor rate', format: (value) => formatCents(Number(value)) },
    good_for_days: counted('Estimates are good for', 'day'),
    registration_number: text('BAR registration number'),
    epa_number: text('EPA number'),
    conditions: text('Conditions'),
    payer_sentence: text('Sentence about the third-party payer'),
    rate: { label: 'Sales tax', format: (value) => `${formatRate(Number(value))}%` },
    title: text('Canned job'),
  },
  team: { name: text('Name'), email: text('Email'), is_active: yesOrNo('Active') },
}

/**
 * Former column names, each with its current name. An entry keeps the name that its column had when the entry was
 * recorded, because the history is append-only.
 */
const formerNames: Partial<Record<SettingsSection, Readonly<Record<string, string>>>> = {
  shop: { kind: 'business_type', lead: 'description' },
  rules: {
    horizon_days: 'booking_window_days',
    grid_minutes: 'slot_interval_minutes',
    tell_shop_of_changes: 'notify_shop_of_changes',
    pause_sentence: 'pause_message',
    invoice_lookup_asks_email: 'invoice_lookup_requires_email',
  },
}

/** The name of the record that an entry is about: 'Bay 2', 'Monday'; '' in a section with only one record. */
export function formatSubject({ section, subject }: HistoryLine): string {
  if (section === 'hours') return dayNames[Number(subject)] ?? subject
  // In the section 'estimates', a tax rate has no name and is identified by its first day. All other records have a
  // name.
  const isDate = section === 'estimates' && /^\d{4}-\d{2}-\d{2}$/.test(subject)
  return isDate ? `Sales tax from ${formatDate(subject)}` : subject
}

/** The texts of an entry, one for each changed column, in the order of `columns`. */
export function formatChanges({ section, before, after }: HistoryLine): ChangeText[] {
  const [was, is] = [toFields(section, before), toFields(section, after)]
  return Object.entries(columns[section]).flatMap(([name, column]) => {
    if (!(name in was) && !(name in is)) return []
    return [
      {
        label: column.label,
        from: formatValue(column, was[name]),
        to: formatValue(column, is[name]),
      },
    ]
  })
}

function formatValue({ format }: Column, value: Json | null | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  const read =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.filter((part) => typeof part === 'string').join(', ')
        : JSON.stringify(value)
  return format ? format(read) : read
}

function toFields(
  section: SettingsSection,
  json: Json | null,
): Readonly<Record<string, Json | undefined>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return {}
  const today = formerNames[section] ?? {}
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [today[name] ?? name, value]),
  )
}

/** A stored time without a zone, in shop time: '2026-11-26T08:30:00' → 'November 26, 2026, 8:30 AM'. */
function formatStoredDateTime(stored: string): string {
  const [date = '', time = ''] = stored.split('T')
  return `${formatDate(date)}, ${formatTime(time)}`
}
