import type { Identity } from '@local/postgres'

/** The database role with which the features of the server run their transactions. */
export const asServer: Identity = { role: 'shop_server' }
