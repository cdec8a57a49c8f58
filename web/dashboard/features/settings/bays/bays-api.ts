import { requestData } from '#web/lib/data/request-data.ts'
import { readVersionedList } from '../kit/versioned-list.ts'

/** Where cars are worked on, one at a time. */
export type Bay = {
  /** Null of one that is not saved yet. */
  readonly id: string | null
  readonly name: string
  readonly isActive: boolean
  /** Who works there; empty is nobody in particular. */
  readonly technician: string
  /** The only services that it can do; none is all. */
  readonly serviceIds: readonly string[]
}

export type SavedBay = Bay & { readonly id: string }

/** The bays in their order. */
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

/** An appointment of a bay that is switched off, and where it goes; null is to no bay. */
export type ReassignedBooking = {
  readonly booking_id: string
  readonly appointment_date: string
  readonly appointment_time: string
  readonly customer_name: string
  readonly service_name: string
  readonly new_bay_name: string | null
}

/** Saves a bay, or says what that would move; throws TT051 when the bays were changed meanwhile. */
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

/** What a bay can be made for, hidden services too. */
export const serviceNames = {
  queryKey: ['settings', 'service-names'],
  queryFn: async (): Promise<ServiceName[]> => {
    const { data } = await requestData((service) =>
      service.from('services').select('id, name').order('name').limit(500),
    )
    return data
  },
}
