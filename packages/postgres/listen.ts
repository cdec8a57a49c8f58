import pg from 'pg'
import type { Database } from './database.ts'

/** The pause in milliseconds between a failure and the next attempt to listen. */
const retryMs = 1_000

export type ChannelSubscriber = {
  readonly onNotification: (payload: string) => void
  /**
   * The package calls this function each time that listening begins, also after a failure, because earlier
   * notifications may have been lost.
   */
  readonly onBegin: () => void
}

export type Notifications<Channel extends string> = {
  /** Subscribes to the channels; returns a function that ends the subscription. */
  subscribe(channel: Channel, subscriber: ChannelSubscriber): () => void
  stop(): Promise<void>
}

/**
 * Listens to `channels` on one database connection outside the pool. PostgreSQL does not repeat notifications that it
 * sent while nobody listened, so the function calls `onBegin` each time that listening begins. A connection pooler in
 * front of PostgreSQL may drop notifications without an error, so a subscriber that must not miss a change also reads
 * the changes at intervals. After a failure the function calls `onFailure` and listens again.
 */
export function listen<Channel extends string>(
  database: Database,
  channels: readonly Channel[],
  onFailure: (error: unknown) => void,
): Notifications<Channel> {
  const subscriptions = new Set<{
    readonly channel: string
    readonly subscriber: ChannelSubscriber
  }>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const begin = async () => {
    const opened = open(database, () => retryAfter(opened))
    client = opened
    try {
      await opened.connect()
      opened.on('notification', ({ channel, payload = '' }) => {
        for (const subscription of subscriptions) {
          if (subscription.channel === channel) subscription.subscriber.onNotification(payload)
        }
      })
      await opened.query(channels.map((name) => `listen ${pg.escapeIdentifier(name)}`).join('; '))
      if (!isStopped) for (const { subscriber } of subscriptions) subscriber.onBegin()
    } catch (error) {
      retryAfter(opened, error)
    }
  }
  const retryAfter = (failed: pg.Client, error?: unknown) => {
    if (isStopped || client !== failed) return
    client = undefined
    failed.end().catch(() => undefined)
    onFailure(error ?? new Error('The database ended the session that listens for notifications.'))
    retry = setTimeout(() => void begin(), retryMs)
    retry.unref()
  }

  void begin()
  return {
    subscribe(channel, subscriber) {
      const subscription = { channel, subscriber }
      subscriptions.add(subscription)
      subscriber.onBegin()
      return () => void subscriptions.delete(subscription)
    },
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
    },
  }
}

function open({ pool }: Database, onEnd: () => void): pg.Client {
  const { connectionString, application_name, connectionTimeoutMillis } = pool.options
  const client = new pg.Client({
    connectionString,
    application_name,
    connectionTimeoutMillis,
    keepAlive: true,
  })
  client.on('error', onEnd)
  client.on('end', onEnd)
  return client
}
