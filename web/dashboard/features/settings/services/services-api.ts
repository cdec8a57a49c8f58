import type { Database } from '#contracts/database.ts'
import { orderServices } from '#domain/shop/service-order.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import type { BayName } from '#web/dashboard/features/settings/bays/bays-api.ts'

type Row = Database['public']['Tables']['services']['Row']

/** A service with the ids of the bays that can do the service; an empty list means any bay. */
export type Service = Row & { readonly bayIds: readonly string[] }

export type ServiceList = {
  /** The services in the order in which customers see them, including hidden ones. */
  readonly services: readonly Service[]
  readonly bays: readonly BayName[]
  /**
   * The version of the list of services. The server saves the services in a new order only if the
   * request contains the current version.
   */
  readonly version: number
}

/** All services with their bays, and the version of the list. */
export async function readServices(): Promise<ServiceList> {
  const [services, bays, bayServices, versions] = await Promise.all([
    requestData((data) => data.from('services').select('*').order('name')),
    requestData((data) => data.from('bays').select('id, name').order('position')),
    requestData((data) => data.from('bay_services').select('bay_id, service_id')),
    requestData((data) =>
      data.from('settings_versions').select('version').eq('section', 'services'),
    ),
  ])
  const canDo = (bay: BayName, service: Row) => {
    const own = bayServices.data.filter(({ bay_id }) => bay_id === bay.id)
    return own.length === 0 || own.some(({ service_id }) => service_id === service.id)
  }
  const baysOf = (service: Row) => {
    const able = bays.data.filter((bay) => canDo(bay, service))
    return able.length === bays.data.length ? [] : able.map(({ id }) => id)
  }
  const withBays = services.data.map((service) =>
    Object.assign(service, { bayIds: baysOf(service) }),
  )
  return {
    services: orderServices(withBays),
    bays: bays.data,
    version: versions.data[0]?.version ?? 0,
  }
}

/** The parameters of the database function `save_service`. */
export type ServiceToSave = {
  service_id: string | null
  name: string
  description: string
  duration_minutes: number
  price_from_cents: number | null
  is_active: boolean
  /** The only bays that can do the service. An empty list means any bay; null keeps the saved bays. */
  bay_ids: string[] | null
  seen_version: number | null
}

/** Adds or changes a service. @returns its id. */
export async function saveService(service: ServiceToSave): Promise<string> {
  return (await requestData((data) => data.rpc('save_service', service))).data
}

/** Saves the order of all services. @returns the new version of the list. */
export async function saveOrder(serviceIds: readonly string[], version: number): Promise<number> {
  const saved = await requestData((data) =>
    data.rpc('order_services', { service_ids: [...serviceIds], seen_version: version }),
  )
  return saved.data
}

/** Counts the appointments for a service from a day ('yyyy-MM-dd') on. */
export async function countBooked(serviceId: string, from: string): Promise<number> {
  const { count } = await requestData((data) =>
    data
      .from('bookings')
      .select('id', { count: 'exact', head: true })
      .eq('service_id', serviceId)
      .gte('appointment_date', from)
      .is('completed_at', null)
      .not('status', 'in', '(cancelled,not_confirmed,no_show)'),
  )
  return count
}
