import type { FastifyInstance } from 'fastify'
import { operationsEndpoint } from '#contracts/operations.ts'
import { accepted } from '#domain/result.ts'
import { type Check, serve } from '#server/platform/http/serve-endpoint.ts'
import type { OperationsSource } from './operations.ts'
import { readOperations } from './read-operations.ts'

type Dependencies = OperationsSource & {
  /** A preHandler that requires a signed-in admin. */
  readonly onlyAdmin: Check
}

const everyMs = 10 * 60 * 1000

/**
 * Serves the state of operations to the owner: emails, jobs, responses and warnings. The same state is logged
 * regularly, and its warnings at the start in production.
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
    app.log.info(figures, 'state of operations')
    for (const warning of warnings) app.log.warn(warning)
  }
  const report = () =>
    void log().catch((error: unknown) =>
      app.log.warn({ err: error }, 'the state of operations could not be read'),
    )
  const timer = setInterval(report, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  if (source.config.environment === 'production') app.addHook('onReady', async () => report())
}
