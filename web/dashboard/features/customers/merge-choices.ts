import type { CustomerRecord } from '#contracts/customers.ts'
import { isSamePhone } from '#domain/bookings/phone-booking-form.ts'
import type { MergedField } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatCounts } from '#web/dashboard/kit/customers/customer-text.ts'

/**
 * The values of one field (name, phone or email) in the records of both customers. If the values differ, staff choose
 * one value.
 */
export type MergeRow = {
  readonly field: MergedField
  readonly label: string
  readonly survivor: string
  readonly duplicate: string
  readonly isSame: boolean
}

const labels = { name: 'Name', phone: 'Phone', email: 'Email' } as const

/**
 * Returns the values of both customers for each field (name, phone, email). Staff choose between different values.
 * Staff also decide about an email address that only one customer has and that nobody confirmed.
 */
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
 * Whether only one of the two customers has an email address, and a visitor typed this address online without
 * confirming it. Staff then choose whether the merged customer gets the address.
 */
function isTypedAlone(survivor: CustomerRecord, duplicate: CustomerRecord): boolean {
  return (
    (survivor.email === null) !== (duplicate.email === null) &&
    (isTypedOnline(survivor) || isTypedOnline(duplicate))
  )
}

/**
 * Returns the fields whose values initially come from the duplicate. By default, all values come from the remaining
 * customer. Exception: if only the remaining customer has an email address and nobody confirmed it, the merged customer
 * initially has none.
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
 * Lists how many records of each kind the merge moves: '2 vehicles, 8 appointments, 4 estimates and quotes, 6 invoices,
 * 2 notes.'; '' without records.
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

/**
 * Counts the vehicles of the merged customer. A vehicle that both customers have, with the same year, make and model,
 * counts once.
 */
function countMergedVehicles(survivor: CustomerRecord, duplicate: CustomerRecord): number {
  const existing = new Set(survivor.vehicles.map(keyOf))
  return (
    survivor.vehicles.length +
    duplicate.vehicles.filter((vehicle) => !existing.has(keyOf(vehicle))).length
  )
}

const keyOf = ({ year, make, model }: CustomerRecord['vehicles'][number]) =>
  [year, make, model].join(' ').toLowerCase()
