import { createContext, useContext } from 'react'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'

/** The id of the element that holds the shop's facts as JSON, in each document the server writes. */
export const shopElementId = 'shop'

/** Gives all below it the shop's facts; every document has it around everything. */
export const ShopContext = createContext({} as ShopFacts)

/** What the shop is, as the document was written: the same while its HTML is taken over and ever after. */
export const useShop = (): ShopFacts => useContext(ShopContext)

/** Reads the facts that this document was written with, and takes over their time zone. Once a document. */
export function readShopOfDocument(): ShopFacts {
  const shop: ShopFacts = JSON.parse(document.getElementById(shopElementId)?.textContent ?? '')
  setShopTimeZone(shop.timeZone)
  return shop
}
