import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database.ts'
import { serveHealth } from '#server/platform/health.ts'
import { handleErrors } from '#server/platform/http-errors.ts'

/** What the process puts together and the app only uses. */
export type AppDependencies = {
  readonly config: Config
  readonly database: Database
  /** The clock, in milliseconds since 1970; tests set it. */
  readonly now: () => number
}

/** The whole HTTP side of the shop on one screen, without a port: tests inject requests. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config } = dependencies
  const app = Fastify({
    trustProxy: config.trustProxy,
    bodyLimit: 256 * 1024,
    logger: { level: config.logLevel },
    requestIdHeader: false,
  })
  handleErrors(app)
  await app.register(fastifyCookie)
  serveHealth(app, dependencies.database)
  return app
}
