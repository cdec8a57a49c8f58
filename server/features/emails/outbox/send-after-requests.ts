import type { FastifyInstance } from 'fastify'
import type { Mailer } from '../transport/mailer.ts'

/**
 * After each response under /api, sends the emails that the request queued, without waiting for the next run of the
 * email job. The app waits for running deliveries when it closes.
 */
export function sendAfterRequests(app: FastifyInstance, mailer: Mailer): void {
  app.addHook('onResponse', async (request) => {
    if (request.url.startsWith('/api/')) mailer.wake()
  })
  app.addHook('onClose', () => mailer.stop())
}
