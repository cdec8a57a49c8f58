import type { FastifyInstance } from 'fastify'
import { notifyCustomerEndpoint } from '#contracts/bookings/notify-customer.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import { type Check, serve } from '#server/platform/http/serve-endpoint.ts'
import { notifyCustomer } from './notify-customer.ts'

type Dependencies = {
  readonly database: Database
  readonly currentShop: CurrentShop
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
  /** A preHandler that requires a signed-in admin. */
  readonly onlyAdmin: Check
}

/** Route with which staff notify a customer about a change of a booking (docs/product.md 12.8). */
export function registerNotifications(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, currentShop, publicUrl, onlyAdmin } = dependencies
  serve(app, notifyCustomerEndpoint).with({
    permission: onlyAdmin,
    invalid: { code: 'BAD_REQUEST' },
    handle: (input) => notifyCustomer({ database, shop: currentShop(), publicUrl }, input),
    present: (emailId) => ({ ok: true, emailId }),
  })
}
