import { loadServices, type Service } from './load-services.ts'

/** What became of a service that somebody chose: it is not offered any more, or it is another now. */
export type ServiceChange = 'gone' | Service

/** Longer than this a visitor does not wait for what the database decides anyway. */
const timeoutMs = 4000

/** How the shop changed what was chosen; undefined when it did not, or when nobody knows. */
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
