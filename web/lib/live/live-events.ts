import { liveEndpoint, type LiveEvents, liveEvents } from '#contracts/api/live-events.ts'

type LiveEvent = {
  readonly [Name in keyof LiveEvents]: { readonly name: Name; readonly data: LiveEvents[Name] }
}[keyof LiveEvents]
type Follower = (event: LiveEvent) => void

/** A stream that was refused (too many listen, the session has ended) is asked for again after this long. */
const retryMs = 15_000

const names = Object.keys(liveEvents) as (keyof LiveEvents)[]
const followers = new Set<Follower>()
let stream: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isBegun = false

/** Opens the stream before anybody follows: what is read once it has begun need not be read again for it. */
export function openLiveEvents(): void {
  if (!stream) listen()
}

/** Whether the stream has begun: whatever is asked for from now on, a later change of it will be told. */
export const areLiveEventsOpen = () => isBegun

/** Calls the follower with what changes, as it changes (docs/product.md 12.7), until the returned function is called. */
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

/** One stream for all of a page: a browser opens few connections to a host, and the server few streams to a session. */
function listen(): void {
  const opened = new EventSource(liveEndpoint.path)
  stream = opened
  for (const name of names) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => publish(name, data))
  }
  opened.addEventListener('error', () => {
    // What only broke off, the browser opens again by itself.
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
