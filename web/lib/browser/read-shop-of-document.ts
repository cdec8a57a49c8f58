import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { shopElementId } from '#web/lib/shop.ts'

/** Reads the shop's facts from the document and sets their time zone. Call this once per document. */
export function readShopOfDocument(): ShopFacts {
  const shop: ShopFacts = JSON.parse(document.getElementById(shopElementId)?.textContent ?? '')
  setShopTimeZone(shop.timeZone)
  return shop
}
