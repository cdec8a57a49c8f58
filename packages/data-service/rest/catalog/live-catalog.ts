import { Client, type Pool } from 'pg'
import type { Catalog } from './catalog.ts'
import { loadCatalog } from './load-catalog.ts'

export type LiveCatalog = {
  /** The catalog as last read; reads it the first time. */
  current(): Promise<Catalog>
  /**
   * Reads it again because a name was not in it, unless that happened a moment ago: anyone can ask
   * for names that do not exist. Whether it did.
   */
  refresh(): Promise<boolean>
  close(): Promise<void>
}

const minimumAgeMs = 5_000
/** Until the connection that hears of changes is tried again. */
const pauseMs = 1_000

/**
 * Keeps the catalog of the database behind `pool` in memory, and reads it again on `notify pgrst`,
 * which `platform/database/migrations.ts` sends, for hosted projects too.
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
    // A failed reading is not kept.
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
    // Without its connection a change can be missed, so the next request reads anew.
    client.on('end', () => {
      if (listener === client) listenAgain()
    })
    await client.connect()
    await client.query('listen pgrst')
  }

  const listenAgain = () => {
    listener = undefined
    catalog = undefined
    if (!closed) setTimeout(ensureListening, pauseMs).unref()
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
