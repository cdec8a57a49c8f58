import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import {
  type Authenticate,
  bearerOf,
  createAuthenticate,
  openAuth,
  registerAuth,
  registerRest,
} from '@local/data-service'
import { createPasswordQueues } from '#server/features/admin-session/sign-in/password-queues.ts'
import { createAuthLimits } from '#server/features/data-service/auth-limits.ts'
import { createDatabaseHeaders } from '#server/features/data-service/database-headers.ts'
import { createRateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { TestApp } from './app.ts'
import { fastPasswords } from './fast-passwords.ts'
import { testKeys } from './test-keys.ts'

export type HostedDataService = {
  readonly url: string
  /**
   * The key of the role service_role, which only this data service (REST API) has; the product's own data service has
   * no such key.
   */
  readonly serviceKey: string
  close(): Promise<void>
}

/**
 * Starts a second data service (REST API) on the database of `shop`. The second data service has a service key, like
 * that of a hosted Supabase project.
 */
export async function startHostedDataService(shop: TestApp): Promise<HostedDataService> {
  const serviceKey = randomBytes(32).toString('base64url')
  const { database } = shop.database
  const { publicUrl, anonKey } = shop.config
  const addressKey = testKeys.clientAddresses
  const auth = await openAuth({
    database,
    keys: testKeys,
    now: Date.now,
    publicUrl,
    passwords: fastPasswords,
  })
  const asShop = createAuthenticate({
    auth,
    anonKey,
    headersOf: createDatabaseHeaders({ addressKey, isEnforced: false }),
  })
  const authenticate: Authenticate = (request) =>
    bearerOf(request) === serviceKey
      ? { ok: true, identity: { role: 'service_role', claims: { role: 'service_role' } } }
      : asShop(request)
  const app = Fastify()
  const limits = createRateLimits({ database, key: addressKey, isEnforced: false })
  registerAuth(app, {
    auth,
    limits: createAuthLimits(limits),
    passwordQueue: createPasswordQueues().unknown,
  })
  registerRest(app, { database, authenticate, publicUrl })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, serviceKey, close: () => app.close() }
}
