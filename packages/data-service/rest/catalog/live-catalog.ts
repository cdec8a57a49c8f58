import { Client, type Pool } from 'pg'
import type { Catalog } from './catalog.ts'
import { loadCatalog } from './load-catalog.ts'

export type LiveCatalog = {
  /** Returns the latest catalog. The first call reads the catalog from the database. */
  current(): Promise<Catalog>
  /**
   * Reads the catalog again after a name was not found; returns whether the catalog was read. Does nothing within
   * `minimumAgeMs` of the last reading, because clients can request any number of names that do not exist.
   */
  refresh(): Promise<boolean>
  close(): Promise<void>
}

const minimumAgeMs = 5_000
/** The pause in milliseconds before the listening connection is opened again. */
const reconnectMs = 1_000

/**
 * Keeps the catalog of the database of `pool` in memory, and reads it again after `notify pgrst`. With this
 * notification, migrations announce a change to PostgREST and to this REST API.
 */
export function watchCatalog(pool: Pool, now: () => number = Date.now): LiveCatalog {
  let catalog: Promise<Catalog> | undefined
  let readAt = 0
  let listener: Client | undefined
  let closed = false

  const reload = (): Promise<Catalog> => {
    readAt = now()
    const loading = loadCatalog(pool)
    const previous = catalog
    catalog = loading
    // If the reading fails, the earlier catalog remains in use.
    loading.catch(() => {
      if (catalog === loading) catalog = previous
    })
    return loading
  }

  const listen = async (): Promise<void> => {
    const client = new Client(pool.options)
    listener = client
    client.on('notification', () => void reload().catch(() => undefined))
    client.on('error', () => undefined)
    // The service misses schema changes while no connection listens, so the next request reads the catalog again.
    client.on('end', () => {
      if (listener === client) listenAgain()
    })
    await client.connect()
    await client.query('listen pgrst')
  }

  const listenAgain = () => {
    listener = undefined
    catalog = undefined
    if (!closed) setTimeout(ensureListening, reconnectMs).unref()
  }

  const ensureListening = () => {
    if (!listener && !closed) void listen().catch(() => undefined)
  }

  return {
    current() {
      if (catalog) return catalog
      ensureListening()
      return reload()
    },
    async refresh() {
      if (now() - readAt < minimumAgeMs) return false
      await reload()
      return true
    },
    async close() {
      closed = true
      await listener?.end()
    },
  }
}
