import { orderServices } from '#domain/shop/service-order.ts'
import type { OfferedService } from '#domain/shop/shop.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'

export type Service = OfferedService

/** Returns the active services in the order of the cards. Throws when the request fails. */
export async function loadServices(signal: AbortSignal): Promise<Service[]> {
  const data = await getVisitorService()
  const { data: services, error } = await data
    .from('services')
    .select('*')
    .eq('is_active', true)
    .order('name')
    .retry(false)
    .abortSignal(AbortSignal.any([signal, AbortSignal.timeout(15_000)]))
  if (error) throw new Error('The services could not be loaded.', { cause: error })
  return orderServices(services)
}
