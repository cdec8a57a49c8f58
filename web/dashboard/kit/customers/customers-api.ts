import {
  vehicleRecord,
  type VehicleRecord,
  type ErasurePreview,
  erasurePreview,
  type CustomerRecord,
  customerRecord,
  type SearchResults,
  searchResults,
} from '#contracts/customers.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Reads a customer record. For the id of a merged customer, returns the record of the customer that remains. */
export async function readCustomer(id: string): Promise<CustomerRecord> {
  const { data } = await requestData((service) => service.rpc('read_customer', { customer_id: id }))
  return customerRecord.parse(data)
}

/** Reads a vehicle record. */
export async function readVehicle(id: string): Promise<VehicleRecord> {
  const { data } = await requestData((service) => service.rpc('read_vehicle', { vehicle_id: id }))
  return vehicleRecord.parse(data)
}

const mostFound = 10

/** Searches customers by a text of at least two characters. Returns the best match first. */
export async function searchCustomers(term: string): Promise<SearchResults['customers']> {
  const { data } = await requestData((service) =>
    service.rpc('search_everything', { term, max_rows: mostFound }),
  )
  return searchResults.parse(data).customers
}

/** The name and contact details of a customer. */
export type Contact = { readonly name: string; readonly email: string; readonly phone: string }

/**
 * Saves the name and contact details of a customer. `maySharesEmail` is true if staff confirmed that another customer
 * may have the same email address.
 */
export async function saveCustomer(
  customer: Pick<CustomerRecord, 'id' | 'version'>,
  { name, email, phone }: Contact,
  maySharesEmail: boolean,
): Promise<void> {
  await requestData((service) =>
    service.rpc('save_customer', {
      customer_id: customer.id,
      seen_version: customer.version,
      name,
      email,
      phone,
      may_share_email: maySharesEmail,
    }),
  )
}

/** The typed values of the vehicle form. */
export type VehicleForm = {
  readonly year: string
  readonly make: string
  readonly model: string
  readonly color: string
  readonly plate: string
  readonly vin: string
  readonly note: string
}

/**
 * Adds a vehicle to a customer, or saves changes of an existing vehicle if nobody else has changed it since the user
 * read it. Returns the id of the vehicle.
 */
export async function saveVehicle(
  vehicle: { readonly id: string; readonly version: number } | undefined,
  customerId: string,
  form: VehicleForm,
): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('save_vehicle', {
      vehicle_id: vehicle?.id ?? null,
      seen_version: vehicle?.version ?? null,
      customer_id: customerId,
      ...form,
    }),
  )
  return data
}

/** @param isCertain whether staff confirmed an odometer reading that contradicts another reading of the vehicle. */
export async function recordOdometer(
  vehicleId: string,
  reading: { readonly miles: number; readonly readOn: string },
  isCertain: boolean,
): Promise<void> {
  await requestData((service) =>
    service.rpc('record_odometer', {
      vehicle_id: vehicleId,
      miles: reading.miles,
      read_on: reading.readOn,
      is_certain: isCertain,
    }),
  )
}

export async function removeReading(id: string): Promise<void> {
  await requestData((service) => service.rpc('remove_odometer_reading', { reading_id: id }))
}

export async function addNote(customerId: string, note: string): Promise<void> {
  await requestData((service) =>
    service.rpc('add_customer_note', { customer_id: customerId, note }),
  )
}

export async function removeNote(id: string): Promise<void> {
  await requestData((service) => service.rpc('delete_customer_note', { note_id: id }))
}

/** The fields that can have only one value, so that a merge keeps the value of one of the two customers. */
export type MergedField = 'name' | 'phone' | 'email'

type Versioned = { readonly id: string; readonly version: number }

/**
 * Merges two customers and returns the id of the merge, with which staff can undo it. @param fromDuplicate the fields
 * whose values come from the duplicate.
 */
export async function mergeCustomers(
  survivor: Versioned,
  duplicate: Versioned,
  fromDuplicate: readonly MergedField[],
): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('merge_customers', {
      survivor_id: survivor.id,
      duplicate_id: duplicate.id,
      seen_survivor_version: survivor.version,
      seen_duplicate_version: duplicate.version,
      fields_from_duplicate: [...fromDuplicate],
    }),
  )
  return data
}

/** Undoes a merge of the last 30 days. */
export async function unmerge(mergeId: string): Promise<void> {
  await requestData((service) => service.rpc('unmerge', { merge_id: mergeId }))
}

/**
 * Records permanently that two customers are not duplicates, so that the dashboard no longer lists them as possible
 * duplicates.
 */
export async function markNotDuplicates(customerId: string, otherId: string): Promise<void> {
  await requestData((service) =>
    service.rpc('mark_not_duplicates', { customer_id: customerId, other_customer_id: otherId }),
  )
}

/** Moves a vehicle with its records from its customer to a new customer. Returns the id of the new customer. */
export async function splitVehicle(vehicle: Versioned): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('split_vehicle', { vehicle_id: vehicle.id, seen_version: vehicle.version }),
  )
  return data
}

/** Moves an appointment with its records from its customer to a new customer. Returns the id of the new customer. */
export async function splitBooking(bookingId: string): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('split_booking', { booking_id: bookingId }),
  )
  return data
}

/** Makes another existing customer the owner of a vehicle. */
export async function changeVehicleOwner(vehicle: Versioned, customerId: string): Promise<void> {
  await requestData((service) =>
    service.rpc('change_vehicle_owner', {
      vehicle_id: vehicle.id,
      seen_version: vehicle.version,
      customer_id: customerId,
    }),
  )
}

/** Sets whether a customer receives reminder emails before appointments. */
export async function setReminders(customerId: string, getsThem: boolean): Promise<void> {
  await requestData((service) =>
    service.rpc('set_customer_reminders', { customer_id: customerId, gets_reminders: getsThem }),
  )
}

/** Reads what the erasure of a customer would delete and keep, and the open records that prevent the erasure. */
export async function previewErasure(customerId: string): Promise<ErasurePreview> {
  const { data } = await requestData((service) =>
    service.rpc('preview_erasure', { customer_id: customerId }),
  )
  return erasurePreview.parse(data)
}
