import type { FastifyInstance } from 'fastify'
import { liveEndpoint } from '#contracts/api/live-events.ts'
import { accepted, refused } from '#domain/result.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import type { Database } from '@local/postgres'
import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { batchLiveEvents } from './batch-live-events.ts'
import { createLiveStreams } from './live-streams.ts'

/**
 * The interval in milliseconds at which sessions are checked and a comment is sent: a session that ended receives events
 * for five seconds at most (docs/product.md 6.4), and proxies between the server and the browser keep the connection open.
 */
const beatMs = 4_000

type Dependencies = {
  readonly database: Database
  readonly now: () => number
  readonly notifications: DatabaseNotifications
  /** Aborts when the process shuts down: the streams end, and the browsers reconnect to the next process. */
  readonly farewell: AbortSignal
}

/** Serves live events to open dashboards (docs/product.md 12.7). */
export function registerLive(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, now, notifications, farewell } = dependencies
  const streams = createLiveStreams(
    async (token) => (await findAdminSession(database, token, now())) !== undefined,
  )
  const unsubscribe = batchLiveEvents(notifications, streams)
  const timer = setInterval(() => void streams.beat(), beatMs)
  timer.unref()
  const end = () => {
    clearInterval(timer)
    unsubscribe()
    streams.endAll()
  }
  farewell.addEventListener('abort', end, { once: true })
  app.addHook('preClose', async () => end())

  serve(app, liveEndpoint).with({
    handle: async (_input, { request, reply }) => {
      const stream = farewell.aborted ? undefined : streams.open(readSessionCookie(request) ?? '')
      if (!stream) return refused({ code: 'BUSY' })
      // The end of the response closes the stream, also after a HEAD request, whose response has no body.
      reply.raw.once('close', () => stream.destroy())
      return accepted(stream)
    },
    present: (stream, reply) =>
      reply
        .type('text/event-stream')
        // Prevents proxies from buffering the events.
        .header('x-accel-buffering', 'no')
        .send(stream),
  })
}
