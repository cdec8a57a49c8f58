import type { FastifyInstance } from 'fastify'
import type { Mailer } from '../transport/mailer.ts'

/**
 * What a request of the product's endpoints put into the outbox leaves right after its answer, not at
 * the next run of the job. When the app closes, what is under way is finished first.
 */
export function sendAfterRequests(app: FastifyInstance, mailer: Mailer): void {
  app.addHook('onResponse', async (request) => {
    if (request.url.startsWith('/api/')) mailer.wake()
  })
  app.addHook('onClose', () => mailer.stop())
}
