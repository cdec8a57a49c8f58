import type { FastifyInstance } from 'fastify'

const everyMs = 10 * 60 * 1000

/** Removes what has run out: now and then while the app runs, with no harm if it is missed. */
export function sweepRegularly(
  app: FastifyInstance,
  sweeps: readonly (() => Promise<unknown>)[],
): void {
  const sweep = async () => {
    for (const run of sweeps) await run()
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'sweeping failed'))
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
