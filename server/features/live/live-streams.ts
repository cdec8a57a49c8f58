import { Readable } from 'node:stream'
import type { LiveEvents } from '#contracts/api/live-events.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import { dataFor } from './data-for-role.ts'

/**
 * The maximum number of event streams per dashboard session. Each tab has one stream, and a browser that restores its
 * tabs opens all streams at the same time.
 */
const mostOfOneSession = 12
const most = 120

/**
 * The permitted amount of unread data in a stream, in bytes. If the browser reads too slowly and more data accumulates,
 * the stream is closed, and the browser reconnects.
 */
const mostWaitingBytes = 64 * 1024

/** The delay in milliseconds after which a browser reconnects to a closed stream. */
const retryMs = 2_000

export type LiveStreams = {
  /**
   * Opens an event stream for the browser with this session token. Returns undefined when the dashboard session has too
   * many streams.
   */
  open(token: string, role: StaffRole): Readable | undefined
  /** Sends an event to every stream, with the data that the role of its staff account may receive. */
  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void
  /** Sends a comment to every stream, so that proxies do not close idle connections. */
  beat(): void
  /**
   * Ends the streams whose dashboard session has ended or whose staff account now has a different role. The browser
   * then tries to open a new stream.
   */
  endOutdated(): Promise<void>
  endAll(): void
}

type Listener = { readonly token: string; readonly role: StaffRole }

/**
 * Creates the object that opens and ends the event streams of this process. `roleOf` returns the staff role for the
 * token of a dashboard session; undefined when the session has ended.
 */
export function createLiveStreams(
  roleOf: (token: string) => Promise<StaffRole | undefined>,
): LiveStreams {
  const listeners = new Map<Readable, Listener>()
  const ofSession = (token: string) =>
    [...listeners].filter(([, listener]) => listener.token === token)
  const end = (stream: Readable) => {
    listeners.delete(stream)
    if (!stream.destroyed) stream.push(null)
  }
  const write = (stream: Readable, text: string) => {
    if (stream.readableLength > mostWaitingBytes) stream.destroy()
    else stream.push(text)
  }
  return {
    open(token, role) {
      if (listeners.size >= most || ofSession(token).length >= mostOfOneSession) return undefined
      const stream = new Readable({ read: () => undefined })
      listeners.set(stream, { token, role })
      stream.once('close', () => listeners.delete(stream))
      stream.push(`retry: ${retryMs}\n\n${toEvent('refetch', {})}`)
      return stream
    },
    send(name, data) {
      for (const [stream, { role }] of listeners) {
        const shown = dataFor(role, name, data)
        if (shown) write(stream, toEvent(name, shown))
      }
    },
    beat() {
      for (const stream of listeners.keys()) write(stream, ': still here\n\n')
    },
    async endOutdated() {
      for (const token of new Set([...listeners.values()].map((listener) => listener.token))) {
        // During a database outage, the role is unknown, so the streams stay open.
        const role = await roleOf(token).catch(() => 'unknown' as const)
        if (role === 'unknown') continue
        for (const [stream, listener] of ofSession(token)) {
          if (listener.role !== role) end(stream)
        }
      }
    },
    endAll() {
      for (const stream of listeners.keys()) end(stream)
    },
  }
}

const toEvent = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
