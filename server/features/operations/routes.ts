import type { FastifyInstance } from 'fastify'
import { operationsEndpoint } from '#contracts/operations.ts'
import { accepted } from '#domain/result.ts'
import { type Check, serve } from '#server/platform/http/serve-endpoint.ts'
import type { OperationsSource } from './operations.ts'
import { readOperations } from './read-operations.ts'

type Dependencies = OperationsSource & {
  /** A preHandler that lets only the shop's admin through. */
  readonly onlyAdmin: Check
}

const everyMs = 10 * 60 * 1000

/**
 * How the shop's machinery is doing, for the owner. The same goes to the log now and
 * then, and in production the warnings right at the start.
 */
export function registerOperations(app: FastifyInstance, dependencies: Dependencies): void {
  const { onlyAdmin, ...source } = dependencies
  serve(app, operationsEndpoint).with({
    permission: onlyAdmin,
    handle: async () => accepted(await readOperations(source)),
    present: (operations) => ({ ok: true, ...operations }),
  })

  const log = async () => {
    const { warnings, ...figures } = await readOperations(source)
    app.log.info(figures, 'operations')
    for (const warning of warnings) app.log.warn(warning)
  }
  const report = () =>
    void log().catch((error: unknown) => app.log.warn({ err: error }, 'operations are unknown'))
  const timer = setInterval(report, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  if (source.config.environment === 'production') app.addHook('onReady', async () => report())
}
