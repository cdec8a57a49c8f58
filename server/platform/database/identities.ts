import type { Identity } from '@local/postgres'

/** The identity with which the features of the server run their transactions. */
export const asServer: Identity = { role: 'shop_server' }
