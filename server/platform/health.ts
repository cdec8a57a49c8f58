import type { FastifyInstance } from 'fastify'
import type { Database } from './database.ts'

const timeoutMs = 3_000

/**
 * `GET /healthz`: 200 while bookings can be taken, 503 otherwise. Before the app is ready the front
 * door answers 503 to everything.
 */
export function serveHealth(app: FastifyInstance, database: Database): void {
  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const isUp = await canTakeBookings(database)
    return reply.code(isUp ? 200 : 503).send({ ok: isUp })
  })
}

/** As a visitor: the login, the role and the tables that a booking needs are all there. */
async function canTakeBookings(database: Database): Promise<boolean> {
  const look = database.transaction({ role: 'anon' }, (query) =>
    query('select from public.services limit 1', [], 'health'),
  )
  const tooSlow = AbortSignal.timeout(timeoutMs)
  const gaveUp = new Promise<never>((_resolve, reject) => {
    tooSlow.addEventListener('abort', () => reject(tooSlow.reason as Error))
  })
  return Promise.race([look, gaveUp]).then(
    () => true,
    () => false,
  )
}
