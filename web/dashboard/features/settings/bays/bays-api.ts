import { requestData } from '#web/lib/data/request-data.ts'
import { readVersionedList } from '../kit/versioned-list.ts'

/** A place where one vehicle at a time is repaired. */
export type Bay = {
  /** The id of the bay; null for a new bay. */
  readonly id: string | null
  readonly name: string
  readonly isActive: boolean
  /** The name of the technician in this bay, or '' when none is assigned. */
  readonly technician: string
  /** The only services that this bay can do; an empty list means all services. */
  readonly serviceIds: readonly string[]
}

export type SavedBay = Bay & { readonly id: string }

/** The id and the name of a bay, for lists that show only the name. */
export type BayName = Pick<SavedBay, 'id' | 'name'>

/** All bays, in the order in which bookings fill them. */
export const allBays = {
  queryKey: ['settings', 'bays'],
  queryFn: () => readVersionedList('bays', listBays),
}

async function listBays(): Promise<SavedBay[]> {
  const { data } = await requestData((service) =>
    service
      .from('bays')
      .select('id, name, is_active, technician, bay_services(service_id)')
      .order('position')
      .limit(50),
  )
  return data.map(({ id, name, is_active, technician, bay_services }) => ({
    id,
    name,
    isActive: is_active,
    technician: technician ?? '',
    serviceIds: bay_services.map(({ service_id }) => service_id),
  }))
}

/**
 * An appointment in a bay that becomes inactive, and the bay to which the appointment moves; null if no other bay is
 * free.
 */
export type ReassignedBooking = {
  readonly booking_id: string
  readonly appointment_date: string
  readonly appointment_time: string
  readonly customer_name: string
  readonly service_name: string
  readonly new_bay_name: string | null
}

/**
 * Saves a bay. With `isPreview`, saves nothing and only returns the appointments that would move to another bay. Throws
 * TT051 after a version conflict.
 */
export async function saveBay(
  bay: Bay,
  version: number,
  { isPreview }: { isPreview: boolean },
): Promise<ReassignedBooking[]> {
  const { data } = await requestData((service) =>
    service.rpc('save_bay', {
      bay_id: bay.id,
      name: bay.name,
      is_active: bay.isActive,
      technician: bay.technician,
      service_ids: [...bay.serviceIds],
      seen_version: version,
      is_preview: isPreview,
    }),
  )
  return data
}

export async function orderBays(ids: readonly string[], version: number): Promise<void> {
  await requestData((service) =>
    service.rpc('order_bays', { bay_ids: [...ids], seen_version: version }),
  )
}

export type ServiceName = { readonly id: string; readonly name: string }

/** All services, including hidden ones: each can be assigned to a bay. */
export const serviceNames = {
  queryKey: ['settings', 'service-names'],
  queryFn: async (): Promise<ServiceName[]> => {
    const { data } = await requestData((service) =>
      service.from('services').select('id, name').order('name').limit(500),
    )
    return data
  },
}
