import { Readable } from 'node:stream'
import type { LiveEvents } from '#contracts/api/live-events.ts'

/** A tab has one; a browser that restores its tabs has them all at once. */
const mostOfOneSession = 12
const most = 120

/** How much may wait for a browser that does not read: then it begins anew. */
const mostWaitingBytes = 64 * 1024

/** How long a browser waits before it listens again. */
const retryMs = 2_000

export type LiveStreams = {
  /** A stream for a signed-in browser, by the token of its session; undefined when there are too many. */
  open(token: string): Readable | undefined
  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void
  /** Keeps connections from looking dead, and ends those whose session has ended. */
  beat(): Promise<void>
  endAll(): void
}

/** The browsers that listen to this process; `isSignedIn` asks whether the session of a token still stands. */
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
        // While the database is away nobody is signed out.
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
