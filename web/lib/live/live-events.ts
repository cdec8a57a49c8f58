import { liveEndpoint, type LiveEvents, liveEvents } from '#contracts/api/live-events.ts'

export type LiveEvent = {
  readonly [Name in keyof LiveEvents]: { readonly name: Name; readonly data: LiveEvents[Name] }
}[keyof LiveEvents]
type Follower = (event: LiveEvent) => void

/**
 * The delay, in milliseconds, before the page reopens a stream that the server refused (too many listeners, or the
 * session has ended).
 */
const retryMs = 15_000

const names = Object.keys(liveEvents) as (keyof LiveEvents)[]
const followers = new Set<Follower>()
let stream: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isBegun = false

/**
 * Opens the stream before the first subscription. Data that is read after the stream has opened need not be read again.
 */
export function openLiveEvents(): void {
  if (!stream) listen()
}

/** Whether the stream is open. Later changes to data that is read from now on arrive as events. */
export const areLiveEventsOpen = () => isBegun

/** Calls the follower at each change (docs/product.md 12.7) until the returned function is called. */
export function subscribeLiveEvents(follower: Follower): () => void {
  followers.add(follower)
  openLiveEvents()
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    clearTimeout(timer)
    stream?.close()
    stream = undefined
    isBegun = false
  }
}

/**
 * All followers of a page share one stream, because browsers limit the connections to a host and the server limits the
 * streams of a session.
 */
function listen(): void {
  const opened = new EventSource(liveEndpoint.path)
  stream = opened
  for (const name of names) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => publish(name, data))
  }
  opened.addEventListener('error', () => {
    // The browser itself reopens a stream whose connection was lost.
    if (opened !== stream || opened.readyState !== EventSource.CLOSED) return
    timer = setTimeout(listen, retryMs)
  })
}

function publish(name: keyof LiveEvents, text: string): void {
  const data = liveEvents[name].safeParse(JSON.parse(text))
  if (!data.success) return
  if (name === 'refetch') isBegun = true
  for (const follower of followers) follower({ name, data: data.data } as LiveEvent)
}
