import type { Identity } from '@local/postgres'

/** The features of the server act as the role `shop_server`. */
export const asServer: Identity = { role: 'shop_server' }
