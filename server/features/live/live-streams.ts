import { Readable } from 'node:stream'
import type { LiveEvents } from '#contracts/api/live-events.ts'

/**
 * The maximum number of streams per session. Each tab has one, and a browser that restores its tabs opens them
 * together.
 */
const mostOfOneSession = 12
const most = 120

/** The maximum amount of unread data. Above it, the stream is closed and the browser reconnects. */
const mostWaitingBytes = 64 * 1024

/** How long a browser waits before it reconnects. */
const retryMs = 2_000

export type LiveStreams = {
  /** Opens a stream for the browser with this session token; undefined when too many are open. */
  open(token: string): Readable | undefined
  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void
  /** Sends a comment that keeps idle connections open, and closes the streams whose session has ended. */
  beat(): Promise<void>
  endAll(): void
}

/** Creates the streams of this process; `isSignedIn` returns whether the session of a token is open. */
export function createLiveStreams(isSignedIn: (token: string) => Promise<boolean>): LiveStreams {
  const tokens = new Map<Readable, string>()
  const ofSession = (token: string) =>
    [...tokens].filter(([, each]) => each === token).map(([stream]) => stream)
  const end = (stream: Readable) => {
    tokens.delete(stream)
    if (!stream.destroyed) stream.push(null)
  }
  const write = (stream: Readable, text: string) => {
    if (stream.readableLength > mostWaitingBytes) stream.destroy()
    else stream.push(text)
  }

  return {
    open(token) {
      if (tokens.size >= most || ofSession(token).length >= mostOfOneSession) return undefined
      const stream = new Readable({ read: () => undefined })
      tokens.set(stream, token)
      stream.once('close', () => tokens.delete(stream))
      stream.push(`retry: ${retryMs}\n\n${toEvent('refetch', {})}`)
      return stream
    },
    send(name, data) {
      const event = toEvent(name, data)
      for (const stream of tokens.keys()) write(stream, event)
    },
    async beat() {
      for (const token of new Set(tokens.values())) {
        // An outage of the database closes no stream.
        const isStillSignedIn = await isSignedIn(token).catch(() => true)
        for (const stream of ofSession(token)) {
          if (isStillSignedIn) write(stream, ': still here\n\n')
          else end(stream)
        }
      }
    },
    endAll() {
      for (const stream of tokens.keys()) end(stream)
    },
  }
}

const toEvent = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
