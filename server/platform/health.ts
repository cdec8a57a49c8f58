import type { FastifyInstance } from 'fastify'
import type { Database } from './database.ts'
import type { Readiness } from './readiness.ts'

const timeoutMs = 3_000

/**
 * `GET /healthz`: 200 while bookings can be taken, 503 otherwise: for monitoring. `GET /readyz`: the same,
 * and 503 from the moment the process was told to stop: for whoever decides which process gets visitors.
 * Before the app is ready the front door answers 503 to everything.
 */
export function serveHealth(app: FastifyInstance, database: Database, readiness: Readiness): void {
  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) => {
    const isUp = await canTakeBookings(database)
    return reply
      .code(isUp ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok: isUp })
  })
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    readiness.asked()
    const why = readiness.isLeaving
      ? 'This process is stopping.'
      : (await canTakeBookings(database))
        ? undefined
        : 'The database does not answer.'
    return reply
      .code(why ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(why ? { ok: false, why } : { ok: true })
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
