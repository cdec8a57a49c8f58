import pg from 'pg'
import type { Database } from './database.ts'

/** How long after a failure the next attempt to listen follows. */
const retryMs = 1_000

export type Listening = { stop(): Promise<void> }

type Ears = {
  /** A notification has come, or may have: also once after each time that listening (re)began. */
  readonly onNotice: () => void
  /** Listening failed or ended; it is tried again. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Listens on a channel in a session of its own, outside the pool. PostgreSQL replays nothing that was said while nobody
 * listened, so `onNotice` is called after each beginning, too. What an endpoint of a pooler between us swallows is
 * never heard: who listens looks for itself now and then.
 */
export function listen(database: Database, channel: string, ears: Ears): Listening {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const begin = async () => {
    const opened = open(database, () => again(opened))
    client = opened
    try {
      await opened.connect()
      opened.on('notification', ears.onNotice)
      await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (!isStopped) ears.onNotice()
    } catch (error) {
      again(opened, error)
    }
  }
  const again = (failed: pg.Client, error?: unknown) => {
    if (isStopped || client !== failed) return
    client = undefined
    failed.end().catch(() => undefined)
    ears.onFailure(error ?? new Error('The database ended the session that listens.'))
    retry = setTimeout(() => void begin(), retryMs)
    retry.unref()
  }

  void begin()
  return {
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
