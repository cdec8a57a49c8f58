import { askData } from '#web/lib/ask-data.ts'
import { readVersioned } from '../list-version.ts'

/** Where cars are worked on, one at a time. */
export type KnownBay = {
  readonly id: string
  readonly name: string
  readonly isActive: boolean
  /** The only services that it can do; none is all. */
  readonly serviceIds: readonly string[]
}

/** The bays in their order. */
export const allBays = {
  queryKey: ['settings', 'bays'],
  queryFn: () => readVersioned('bays', listBays),
}

async function listBays(): Promise<KnownBay[]> {
  const { data } = await askData((service) =>
    service
      .from('bays')
      .select('id, name, is_active, bay_services(service_id)')
      .order('position')
      .limit(50),
  )
  return data.map(({ id, name, is_active, bay_services }) => ({
    id,
    name,
    isActive: is_active,
    serviceIds: bay_services.map(({ service_id }) => service_id),
  }))
}
