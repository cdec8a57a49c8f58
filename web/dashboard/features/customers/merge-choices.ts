import type { CustomerRecord } from '#contracts/customers.ts'
import { isSamePhone } from '#domain/bookings/phone-booking-form.ts'
import type { MergedField } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatCounts } from '#web/dashboard/kit/customers/customer-text.ts'

/** The values of one field of both customers. Both values are the same, or staff choose one. */
export type MergeRow = {
  readonly field: MergedField
  readonly label: string
  readonly survivor: string
  readonly duplicate: string
  readonly isSame: boolean
}

const labels = { name: 'Name', phone: 'Phone', email: 'Email' } as const

/** The fields of both customers. A field that only one customer has needs no choice. */
export function mergeRows(survivor: CustomerRecord, duplicate: CustomerRecord): MergeRow[] {
  const fields = ['name', 'phone', 'email'] as const
  return fields.map((field) => {
    const [one, other] = [survivor[field] ?? '', duplicate[field] ?? '']
    if (field === 'email' && isTypedAlone(survivor, duplicate)) {
      return { field, label: labels[field], survivor: one, duplicate: other, isSame: false }
    }
    const isSame = one === '' || other === '' || isAlike(field, one, other)
    return { field, label: labels[field], survivor: one || other, duplicate: other || one, isSame }
  })
}

/** Whether the customer's email address was typed online and never confirmed. */
export function isTypedOnline({ email, contacts }: CustomerRecord): boolean {
  return contacts.some(
    ({ kind, value, isConfirmed }) =>
      kind === 'email' && !isConfirmed && value.toLowerCase() === email?.toLowerCase(),
  )
}

/**
 * Whether only one of the two customers has an email address, and a visitor typed that address online without
 * confirming it. Then staff choose that address or none.
 */
function isTypedAlone(survivor: CustomerRecord, duplicate: CustomerRecord): boolean {
  return (
    (survivor.email === null) !== (duplicate.email === null) &&
    (isTypedOnline(survivor) || isTypedOnline(duplicate))
  )
}

/**
 * The fields whose values come from the duplicate by default: none, except when the kept customer's address was only
 * typed online and the duplicate has none. Then the merged customer has no address.
 */
export function firstChoice(
  survivor: CustomerRecord,
  duplicate: CustomerRecord,
): ReadonlySet<MergedField> {
  return new Set(isTypedAlone(survivor, duplicate) && duplicate.email === null ? ['email'] : [])
}

function isAlike(field: MergedField, one: string, other: string): boolean {
  if (field === 'phone') return isSamePhone(one, other)
  return field === 'email' ? one.toLowerCase() === other.toLowerCase() : one === other
}

/** 'Maria Delgado, (650) 555-0167, maria@example.com': the contact details of the merged customer. */
export function mergedContact(
  rows: readonly MergeRow[],
  fromDuplicate: ReadonlySet<MergedField>,
): string {
  return rows
    .map(({ field, survivor, duplicate }) => (fromDuplicate.has(field) ? duplicate : survivor))
    .filter(Boolean)
    .join(', ')
}

/**
 * The number of records that the merge moves, in words: '2 vehicles, 8 appointments, 4 estimates and quotes, 6
 * invoices, 2 notes.'; '' without records.
 */
export function mergedCounts(survivor: CustomerRecord, duplicate: CustomerRecord): string {
  const sum = (of: (customer: CustomerRecord) => number) => of(survivor) + of(duplicate)
  const documents = sum(({ estimates, quotes }) => estimates.length + quotes.length)
  const counts = formatCounts(
    [countMergedVehicles(survivor, duplicate), 'vehicle'],
    [sum(({ bookings }) => bookings.length), 'appointment'],
    [documents, 'estimate or quote', 'estimates and quotes'],
    [sum(({ invoices }) => invoices.length), 'invoice'],
    [sum(({ notes }) => notes.length), 'note'],
  )
  return counts && `${counts}.`
}

/** Vehicles with the same year, make and model count once. */
function countMergedVehicles(survivor: CustomerRecord, duplicate: CustomerRecord): number {
  const existing = new Set(survivor.vehicles.map(keyOf))
  return (
    survivor.vehicles.length +
    duplicate.vehicles.filter((vehicle) => !existing.has(keyOf(vehicle))).length
  )
}

const keyOf = ({ year, make, model }: CustomerRecord['vehicles'][number]) =>
  [year, make, model].join(' ').toLowerCase()
