import type { Reader } from '#contracts/api/endpoint.ts'
import { liveEndpoint, type LiveEvents, liveEvents } from '#contracts/api/live-events.ts'

export type LiveEvent = {
  readonly [Name in keyof LiveEvents]: { readonly name: Name; readonly data: LiveEvents[Name] }
}[keyof LiveEvents]
type Follower = (event: LiveEvent) => void

/**
 * The delay, in milliseconds, before the page reopens a stream that the server refused (too many listeners, or the
 * sign-in session has ended).
 */
const retryMs = 15_000

const followers = new Set<Follower>()
let stream: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isBegun = false

/**
 * Opens the stream of live events before the first subscription. Data that is read after the stream has opened need not
 * be read again.
 */
export function openLiveEvents(): void {
  if (!stream) listen()
}

/**
 * Whether the stream of live events is open. While it is open, every later change to data that the page reads from now
 * on arrives as an event.
 */
export const areLiveEventsOpen = () => isBegun

/**
 * Subscribes to live events: calls `follower` after each change (docs/product.md 12.7) until the returned function is
 * called.
 */
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
 * All subscribers of a page share one stream of live events, because browsers limit the connections to a host and the
 * server limits the streams of a sign-in session.
 */
function listen(): void {
  const opened = new EventSource(liveEndpoint.path)
  stream = opened
  for (const [name, read] of Object.entries(readers)) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => publish(read(data)))
  }
  opened.addEventListener('error', () => {
    // The browser itself reopens a stream whose connection was lost.
    if (opened !== stream || opened.readyState !== EventSource.CLOSED) return
    timer = setTimeout(listen, retryMs)
  })
}

function publish(event: LiveEvent | undefined): void {
  if (!event) return
  if (event.name === 'refetch') isBegun = true
  for (const follower of followers) follower(event)
}

/**
 * The functions that parse the data of a live event, by the kind of event. They return undefined for data in an unknown
 * format.
 */
const readers: {
  readonly [Name in keyof LiveEvents]: (text: string) => LiveEvent | undefined
} = {
  refetch: (text) => read('refetch', text),
  bookings: (text) => read('bookings', text),
  tasks: (text) => read('tasks', text),
  estimates: (text) => read('estimates', text),
  invoices: (text) => read('invoices', text),
  cash: (text) => read('cash', text),
  quotes: (text) => read('quotes', text),
  customers: (text) => read('customers', text),
  settings: (text) => read('settings', text),
}

const schemas: { readonly [Name in keyof LiveEvents]: Reader<LiveEvents[Name]> } = liveEvents

function read<Name extends keyof LiveEvents>(name: Name, text: string) {
  const parsed = schemas[name].safeParse(JSON.parse(text))
  return parsed.success ? { name, data: parsed.data } : undefined
}
