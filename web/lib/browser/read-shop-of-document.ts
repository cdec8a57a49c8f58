import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { shopElementId } from '#web/lib/shop.ts'

/**
 * Reads the shop's details (name, postal address, opening hours and so on) from the JSON in the document, and sets the
 * shop's time zone for all date functions. Call this once per document.
 */
export function readShopOfDocument(): ShopFacts {
  const shop: ShopFacts = JSON.parse(document.getElementById(shopElementId)?.textContent ?? '')
  setShopTimeZone(shop.timeZone)
  return shop
}
