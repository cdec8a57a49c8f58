import type { Database } from '#contracts/database.ts'
import { orderServices } from '#domain/shop/service-order.ts'
import { requestData } from '#web/lib/data/request-data.ts'

type Row = Database['public']['Tables']['services']['Row']

export type Bay = { readonly id: string; readonly name: string; readonly is_active: boolean }

/** A service with the bays that can do it; none named is any bay. */
export type Service = Row & { readonly bayIds: readonly string[] }

export type ServiceList = {
  /** In the order in which customers see them, hidden ones among them. */
  readonly services: readonly Service[]
  readonly bays: readonly Bay[]
  /** Of the whole list: who puts it in order names the one that they saw. */
  readonly version: number
}

/** All services, where each is done, and the version of their order. */
export async function readServices(): Promise<ServiceList> {
  const [services, bays, bayServices, versions] = await Promise.all([
    requestData((data) => data.from('services').select('*').order('name')),
    requestData((data) => data.from('bays').select('id, name, is_active').order('position')),
    requestData((data) => data.from('bay_services').select('bay_id, service_id')),
    requestData((data) =>
      data.from('settings_versions').select('version').eq('section', 'services'),
    ),
  ])
  const canDo = (bay: Bay, service: Row) => {
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

/** What is saved of a service, named as the procedure names it. */
export type ServiceToSave = {
  service_id: string | null
  name: string
  description: string
  duration_minutes: number
  price_from_cents: number | null
  is_active: boolean
  /** The only bays that can do it; none is any bay, null leaves them as they are. */
  bay_ids: string[] | null
  seen_version: number | null
}

/** Adds or changes a service. @returns its id. */
export async function saveService(service: ServiceToSave): Promise<string> {
  return (await requestData((data) => data.rpc('save_service', service))).data
}

/** Puts all services in this order. @returns the version that their list is of then. */
export async function saveOrder(serviceIds: readonly string[], version: number): Promise<number> {
  const saved = await requestData((data) =>
    data.rpc('order_services', { service_ids: [...serviceIds], seen_version: version }),
  )
  return saved.data
}

/** How many cars are booked from a day on ('yyyy-MM-dd') for a service. */
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
