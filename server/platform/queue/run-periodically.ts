import type { FastifyInstance } from 'fastify'

const everyMs = 10 * 60 * 1000

/** Removes what has run out: now and then while the app runs, with no harm if it is missed. */
export function runPeriodically(
  app: FastifyInstance,
  sweeps: readonly (() => Promise<unknown>)[],
): void {
  // One that fails does not keep the others from it.
  const sweep = async () => {
    for (const run of sweeps) {
      await run().catch((error: unknown) => app.log.warn({ err: error }, 'sweeping failed'))
    }
  }
  const timer = setInterval(() => void sweep(), everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
