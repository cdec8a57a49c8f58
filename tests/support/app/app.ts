import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import type { AppDependencies } from '#server/app-dependencies.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openAuth } from '@local/data-service'
import { createStaffAccount } from '#server/features/admin-session/accounts/create-staff-account.ts'
import { embeddedAuthGateway } from '#server/features/admin-session/gateway/embedded-auth-gateway.ts'
import type { NewAdmin } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createRefusalMemory } from '#server/platform/http/limits/refusal-cache.ts'
import { fastPasswords } from './fast-passwords.ts'
import { checkResponses } from './check-responses.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { testKeys } from './test-keys.ts'

/** The admin account of every test app. */
export const testAdmin = { username: 'admin', password: 'correct horse battery' } as const

type Credentials = { readonly username: string; readonly password: string }

export type TestApp = {
  readonly app: FastifyInstance
  readonly config: Config
  readonly database: TestDatabase
  /** Sends requests to the app in this process, without a network port. */
  readonly inject: FastifyInstance['inject']
  /** Listens on a free loopback port, at the first call only; returns the site's origin. */
  listen(): Promise<string>
  /**
   * Returns a visitor's client of the data service (REST API), like the client that pages create. If the app does not
   * listen on a port yet, the first call makes the app listen.
   */
  createClient(): Promise<SupabaseClient>
  /**
   * Deletes the counters of refused requests in the app's memory, for tests that change the table
   * `internal.rate_limits`.
   */
  forgetRefusals(): void
  /** Signs a staff account in, by default the test admin; returns the Cookie header for `/api`. */
  logIn(credentials?: Credentials): Promise<string>
  /** Signs the test admin in and confirms the password, which counts for five minutes; returns the Cookie header. */
  logInConfirmed(): Promise<string>
  close(): Promise<void>
}

type Overrides = Partial<Omit<AppDependencies, 'config' | 'database' | 'keys'>> & {
  readonly config?: Partial<Config>
}

/**
 * Creates the whole application with its own database and the test admin. Rate limits are enforced unless
 * `config.rateLimits` is 'off'. Create the app in `beforeAll` and close it in `afterAll`: closing throws if a response
 * of an endpoint violated its contract.
 */
export async function createTestApp(overrides: Overrides = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-app-'))
  const config = { ...readTestConfig(), dataDirectory, ...overrides.config }
  const now = overrides.now ?? Date.now
  // Renders the site from its source, so that no test depends on an outdated build.
  const { renderCustomerPage } = await import('#web/customer-pages/render-customer-page.tsx')
  const own = {
    config,
    database: database.database,
    keys: testKeys,
    passwords: fastPasswords,
    renderCustomerPage,
  }
  const refusals = createRefusalMemory()
  const app = await buildApp({ now, refusals, ...own, ...overrides, config })
  const broken = checkResponses(app)
  await app.ready()
  if (!config.hosted) await addTestAccount(database, { ...testAdmin, role: 'owner' }, now)
  let origin: Promise<string> | undefined
  const listen = () => (origin ??= app.listen({ port: 0, host: '127.0.0.1' }))
  return {
    app,
    config,
    database,
    inject: app.inject.bind(app),
    listen,
    forgetRefusals: () => refusals.clear(),
    createClient: async () => createTestClient(await listen(), config.anonKey),
    logIn: (credentials = testAdmin) => logIn(app, credentials),
    logInConfirmed: () => logInConfirmed(app),
    async close() {
      await app.close()
      await database.drop()
      rmSync(dataDirectory, { recursive: true, force: true })
      if (broken.length > 0)
        throw new Error(['These responses violate their contracts:', ...broken].join('\n'))
    },
  }
}

function readTestConfig(): Config {
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
  if (!config.ok) throw new Error(config.refusal.join('\n'))
  return config.value
}

/** Adds a staff account that can sign in. */
export async function addTestAccount(
  { database }: TestDatabase,
  account: NewAdmin,
  now: () => number = Date.now,
): Promise<void> {
  const publicUrl = 'http://test'
  const auth = await openAuth({
    database,
    keys: testKeys,
    now,
    publicUrl,
    passwords: fastPasswords,
  })
  await createStaffAccount({ database, gateway: embeddedAuthGateway(auth) }, account)
}

/**
 * Creates a client that shares no sign-in session with other clients and does not refresh its session automatically.
 */
export function createTestClient(origin: string, anonKey: string): SupabaseClient {
  return createClient(origin, anonKey, {
    auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
  })
}

async function logIn(app: FastifyInstance, credentials: Credentials): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: credentials,
  })
  const cookie = response.cookies.find(({ name }) => name === 'admin_session')
  if (!cookie) throw new Error(`${credentials.username} could not sign in: ${response.body}`)
  return `${cookie.name}=${cookie.value}`
}

async function logInConfirmed(app: FastifyInstance): Promise<string> {
  const cookie = await logIn(app, testAdmin)
  const { password } = testAdmin
  const response = await app.inject({
    method: 'POST',
    url: '/api/admin/confirm-password',
    headers: { cookie },
    payload: { password },
  })
  if (response.statusCode !== 200) throw new Error(`The step-up failed: ${response.body}`)
  return cookie
}
