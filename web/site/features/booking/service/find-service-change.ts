import { loadServices, type Service } from './load-services.ts'

/** A change of the chosen service: 'gone' when the shop no longer offers it, otherwise its current version. */
export type ServiceChange = 'gone' | Service

/**
 * The maximum time, in milliseconds, that this check may delay a visitor. The database checks the service again anyway.
 */
const timeoutMs = 4000

/** Returns how the shop changed the chosen service; undefined if it did not, or if the request fails. */
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
