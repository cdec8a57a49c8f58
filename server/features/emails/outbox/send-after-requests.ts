import type { FastifyInstance } from 'fastify'
import type { Mailer } from '../transport/mailer.ts'

/**
 * Sends the emails that a request under /api queued right after its response, before the next run of the job. When the
 * app closes, running deliveries finish first.
 */
export function sendAfterRequests(app: FastifyInstance, mailer: Mailer): void {
  app.addHook('onResponse', async (request) => {
    if (request.url.startsWith('/api/')) mailer.wake()
  })
  app.addHook('onClose', () => mailer.stop())
}
