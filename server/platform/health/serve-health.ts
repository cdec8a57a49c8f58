import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'
import type { Health, HealthWatch } from './watch-health.ts'

const asHealthCheck = { logLevel: 'silent', config: { uncounted: 'health check' } } as const

/**
 * `GET /healthz`: 200 while bookings can be taken, 503 with the reason otherwise: for monitoring.
 * `GET /readyz`: the same, and 503 from the moment the process was told to stop: for whoever decides
 * which process gets visitors. Before the app is ready the front door answers 503 to everything.
 */
export function serveHealth(app: FastifyInstance, watch: HealthWatch, readiness: Readiness): void {
  const serve = (url: string, check: () => Promise<Health>) =>
    app.get(url, asHealthCheck, async (_request, reply) => {
      const health = await check()
      return reply
        .code(health.ok ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(health)
    })
  serve('/healthz', () => watch.check())
  serve('/readyz', async () => {
    readiness.recordProbe()
    if (!readiness.isShuttingDown) return watch.check()
    return { ok: false, code: 'STOPPING', why: 'This process is stopping.' }
  })
}
