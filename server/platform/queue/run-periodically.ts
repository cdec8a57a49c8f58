import type { FastifyInstance } from 'fastify'

const everyMs = 10 * 60 * 1000

/**
 * Runs the functions `sweeps`, which delete expired data, periodically while the app runs. A skipped run does no harm.
 */
export function runPeriodically(
  app: FastifyInstance,
  sweeps: readonly (() => Promise<unknown>)[],
): void {
  // A failed function does not stop the other functions.
  const sweep = async () => {
    for (const run of sweeps) {
      await run().catch((error: unknown) =>
        app.log.warn({ err: error }, 'expired data could not be deleted'),
      )
    }
  }
  const timer = setInterval(() => void sweep(), everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
