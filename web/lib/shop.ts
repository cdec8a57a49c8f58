import { createContext, useContext } from 'react'
import type { ShopFacts } from '#domain/shop/shop.ts'

/**
 * The id of the element that contains the shop's details as JSON. The server writes this element
 * into each document.
 */
export const shopElementId = 'shop'

/** Provides the shop's details to all components of an HTML document. */
export const ShopContext = createContext({} as ShopFacts)

/**
 * Returns the shop's details (name, postal address, opening hours and so on) as they were when the server wrote the
 * document. The details do not change while the document is open.
 */
export const useShop = (): ShopFacts => useContext(ShopContext)
