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
 * The interval in milliseconds at which a comment is sent: short enough that proxies between the server and the
 * browser keep the connection open.
 */
const keepAliveMs = 15_000

/**
 * The interval in milliseconds at which the server checks the dashboard session and the role of each stream again. A
 * stream therefore ends within five seconds after its staff account was switched off or received another role.
 */
const checkMs = 3_000

type Dependencies = {
  readonly database: Database
  readonly notifications: DatabaseNotifications
  /**
   * This signal aborts when the process shuts down. The streams then end, and the browsers reconnect after the restart.
   */
  readonly farewell: AbortSignal
}

/** Serves live events to open dashboards (docs/product.md 12.7). */
export function registerLive(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, notifications, farewell } = dependencies
  const roleOf = async (token: string) => {
    const session = await findAdminSession(database, token)
    return session?.needsCodeApp ? undefined : session?.role
  }
  const streams = createLiveStreams(roleOf)
  const unsubscribe = batchLiveEvents(notifications, streams)
  const timers = [
    setInterval(() => streams.beat(), keepAliveMs),
    setInterval(() => void streams.endOutdated(), checkMs),
  ]
  for (const timer of timers) timer.unref()
  const end = () => {
    timers.forEach(clearInterval)
    unsubscribe()
    streams.endAll()
  }
  farewell.addEventListener('abort', end, { once: true })
  app.addHook('preClose', async () => end())

  serve(app, liveEndpoint).with({
    handle: async (_input, { request, reply }) => {
      const token = readSessionCookie(request) ?? ''
      const role = await roleOf(token)
      if (!role) return refused({ code: 'UNAUTHENTICATED' })
      const stream = farewell.aborted ? undefined : streams.open(token, role)
      if (!stream) return refused({ code: 'BUSY' })
      // Closes the stream together with the connection, because a HEAD request has no response body whose end would
      // close the stream.
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
