import { Client, type Pool } from 'pg'
import type { Catalog } from './catalog.ts'
import { loadCatalog } from './load-catalog.ts'

export type LiveCatalog = {
  /** Returns the catalog that was read last. The first call reads the catalog. */
  current(): Promise<Catalog>
  /**
   * Reads the catalog again after a name was not found. Does nothing within `minimumAgeMs` of the last reading, because
   * clients can request names that do not exist. Returns whether it read the catalog.
   */
  refresh(): Promise<boolean>
  close(): Promise<void>
}

const minimumAgeMs = 5_000
/** The wait before the listening connection is opened again. */
const reconnectMs = 1_000

/**
 * Keeps the catalog of the database of `pool` in memory, and reads it again on `notify pgrst`, with which migrations
 * announce a change to PostgREST and to this service.
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
    // A failed reading must not replace the catalog.
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
    // The service misses changes while it does not listen, so that the next request reads the catalog again.
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
