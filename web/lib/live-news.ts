import { liveEndpoint, type LiveNews, liveNews } from '#contracts/live.ts'

type News = {
  readonly [Name in keyof LiveNews]: { readonly name: Name; readonly data: LiveNews[Name] }
}[keyof LiveNews]
type Follower = (news: News) => void

/** A stream that was refused (too many listen, the session has ended) is asked for again after this long. */
const askAgainMs = 15_000

const names = Object.keys(liveNews) as (keyof LiveNews)[]
const followers = new Set<Follower>()
let stream: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls the follower with what changes, as it changes (docs/product.md 12.7), until the returned function is called. */
export function followNews(follower: Follower): () => void {
  followers.add(follower)
  if (!stream) listen()
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    clearTimeout(timer)
    stream?.close()
    stream = undefined
  }
}

/** One stream for all of a page: a browser opens few connections to a host, and the server few streams to a session. */
function listen(): void {
  const opened = new EventSource(liveEndpoint.path)
  stream = opened
  for (const name of names) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => tell(name, data))
  }
  opened.addEventListener('error', () => {
    // What only broke off, the browser opens again by itself.
    if (opened !== stream || opened.readyState !== EventSource.CLOSED) return
    timer = setTimeout(listen, askAgainMs)
  })
}

function tell(name: keyof LiveNews, text: string): void {
  const data = liveNews[name].safeParse(JSON.parse(text))
  if (!data.success) return
  for (const follower of followers) follower({ name, data: data.data } as News)
}
