import pg from 'pg'
import type { Database } from './database.ts'

/** How long after a failure the next attempt to listen follows. */
const retryMs = 1_000

/**
 * What the triggers notify, in the transaction of the change: sections of the settings, ids of appointments,
 * estimates, invoices, quote requests, people.
 */
const channels = [
  'settings_changed',
  'bookings_changed',
  'estimates_changed',
  'invoices_changed',
  'quotes_changed',
  'customers_changed',
] as const
type Channel = (typeof channels)[number]

type Ears = {
  readonly onNotice: (payload: string) => void
  /** Something may have been missed: at once, and each time that listening begins anew. */
  readonly onBegin: () => void
}

export type Listening = {
  /** From now on `ears` hear a channel; the answer ends it. */
  hear(channel: Channel, ears: Ears): () => void
  stop(): Promise<void>
}

/**
 * Listens to all channels in one session of its own, outside the pool. PostgreSQL replays nothing that was said while
 * nobody listened, hence `onBegin`. What an endpoint of a pooler between us swallows is never heard: who must not miss
 * anything looks for itself now and then. `onFailure` hears that listening failed or ended; it is tried again.
 */
export function listen(database: Database, onFailure: (error: unknown) => void): Listening {
  const listeners = new Set<{ readonly channel: string; readonly ears: Ears }>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const begin = async () => {
    const opened = open(database, () => again(opened))
    client = opened
    try {
      await opened.connect()
      opened.on('notification', ({ channel, payload = '' }) => {
        for (const { channel: wanted, ears } of listeners) {
          if (wanted === channel) ears.onNotice(payload)
        }
      })
      await opened.query(channels.map((name) => `listen ${pg.escapeIdentifier(name)}`).join('; '))
      if (!isStopped) for (const { ears } of listeners) ears.onBegin()
    } catch (error) {
      again(opened, error)
    }
  }
  const again = (failed: pg.Client, error?: unknown) => {
    if (isStopped || client !== failed) return
    client = undefined
    failed.end().catch(() => undefined)
    onFailure(error ?? new Error('The database ended the session that listens.'))
    retry = setTimeout(() => void begin(), retryMs)
    retry.unref()
  }

  void begin()
  return {
    hear(channel, ears) {
      const listener = { channel, ears }
      listeners.add(listener)
      ears.onBegin()
      return () => void listeners.delete(listener)
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
