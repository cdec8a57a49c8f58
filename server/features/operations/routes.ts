import type { FastifyInstance } from 'fastify'
import { operationsEndpoint } from '#contracts/operations.ts'
import { accepted } from '#domain/result.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import type { OperationsSource } from './operations.ts'
import { readOperations } from './read-operations.ts'

const everyMs = 10 * 60 * 1000

/**
 * Serves the operations report to owners and advisors: the state of emails and scheduled jobs, the number of HTTP
 * responses, and warnings. The server also logs the report regularly, and logs the report's warnings when the server
 * starts in production.
 */
export function registerOperations(app: FastifyInstance, source: OperationsSource): void {
  serve(app, operationsEndpoint).with({
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
