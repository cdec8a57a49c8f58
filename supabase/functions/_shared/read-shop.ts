import type { SupabaseClient } from '@supabase/supabase-js'
import { type ShopRow, toShop } from '#contracts/shop-row.ts'
import type { Shop } from '../../../domain/shop/shop.ts'
import { setShopTimeZone } from '../../../domain/calendar/shop-time-zone.ts'

/**
 * Reads the shop's details for each email, because the details can change while the process of a server function runs.
 */
export async function readShop(client: SupabaseClient): Promise<Shop> {
  const { data, error } = await client.from('shop').select().single<ShopRow>()
  if (error) throw new Error(`The database refused: ${error.code}`)
  const shop = toShop(data)
  setShopTimeZone(shop.timeZone)
  return shop
}
