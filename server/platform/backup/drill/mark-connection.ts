import { Client } from 'pg'
import { textSettings } from '#server/platform/storage/take-backup.ts'

/**
 * Connects as the role that owns the database. With the settings of this connection, every PostgreSQL server converts
 * the same value to the same text.
 */
export async function connectForMark(ownerUrl: string): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'drill' })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(textSettings)
  return client
}

/**
 * Runs `work` with a database connection. When `signal` aborts, closes the connection, even in the middle of a long
 * statement, and rejects with the reason of the signal.
 */
export async function withMarkConnection<Result>(
  ownerUrl: string,
  signal: AbortSignal,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const client = await connectForMark(ownerUrl)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const end = () => void endConnection(ownerUrl, rows[0]?.pid ?? 0).catch(() => undefined)
  signal.addEventListener('abort', end)
  try {
    signal.throwIfAborted()
    return await work(client)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await client.end()
  }
}

async function endConnection(ownerUrl: string, pid: number): Promise<void> {
  const client = await connectForMark(ownerUrl)
  try {
    await client.query('select pg_terminate_backend($1)', [pid])
  } finally {
    await client.end()
  }
}
