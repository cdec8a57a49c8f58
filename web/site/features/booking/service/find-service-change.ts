import { loadServices, type Service } from './load-services.ts'

/** A change of the chosen service: 'gone' when it is no longer offered, else its current version. */
export type ServiceChange = 'gone' | Service

/** The database checks the service again anyway, so this check may not delay a visitor for longer. */
const timeoutMs = 4000

/** Returns how the shop changed the chosen service; undefined without a change, or when the request fails. */
export async function findServiceChange(chosen: Service): Promise<ServiceChange | undefined> {
  const services = await loadServices(AbortSignal.timeout(timeoutMs)).catch(() => undefined)
  if (!services) return undefined
  const now = services.find(({ id }) => id === chosen.id)
  if (!now) return 'gone'
  const isSame =
    now.name === chosen.name &&
    now.duration_minutes === chosen.duration_minutes &&
    now.price_from_cents === chosen.price_from_cents
  return isSame ? undefined : now
}
