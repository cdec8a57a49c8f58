import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'
import type { Health, HealthWatch } from './watch-health.ts'

type HealthSources = {
  readonly watch: HealthWatch
  readonly readiness: Readiness
  readonly reportBackup: () => Promise<unknown>
}

const asHealthCheck = {
  logLevel: 'silent',
  config: { rights: 'public', uncounted: 'health check' },
} as const

/**
 * `GET /healthz` is for monitoring: it returns 200 while bookings are possible, otherwise 503 with the reason. `GET
 * /readyz` is for load balancers: it returns the same status, but also 503 after the process received a stop signal.
 * Before the app is ready, the HTTP listener responds to every request with 503. The state of the backup does not
 * affect the status of `/healthz`.
 */
export function serveHealth(
  app: FastifyInstance,
  { watch, readiness, reportBackup }: HealthSources,
): void {
  const serve = (url: string, check: () => Promise<Health & { readonly backup?: unknown }>) =>
    app.get(url, asHealthCheck, async (_request, reply) => {
      const health = await check()
      return reply
        .code(health.ok ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(health)
    })
  serve('/healthz', async () => ({ ...(await watch.check()), backup: await reportBackup() }))
  serve('/readyz', async () => {
    readiness.recordProbe()
    if (!readiness.isShuttingDown) return watch.check()
    return { ok: false, code: 'STOPPING', why: 'This process is stopping.' }
  })
}
