import { createContext, useContext } from 'react'
import type { ShopFacts } from '#domain/shop/shop.ts'

/** The id of the element that contains the shop's facts as JSON. The server writes it into each document. */
export const shopElementId = 'shop'

/** Provides the shop's facts. Every document wraps its whole content in this provider. */
export const ShopContext = createContext({} as ShopFacts)

/**
 * Returns the facts about the shop (name, address, hours and so on) as they were when the server wrote the document.
 * They do not change while the document is open.
 */
export const useShop = (): ShopFacts => useContext(ShopContext)
