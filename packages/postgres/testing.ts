import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** An empty database for one test file, on the database server of the test run. */
export type EmptyDatabase = {
  /** The URL with which a superuser connects to the database. */
  readonly url: string
  /** The pool whose connections log in as the superuser. */
  readonly pool: pg.Pool
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

/** Creates a test database. Call this in `beforeAll` and drop the database in `afterAll`. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { ownerUrl: serverUrl } = inject('testServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(serverUrl, `create database ${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = openTestPool(url.href, 5)
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end()
      await run(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/**
 * Creates a pool that ignores errors of idle connections, such as those of a database that is being dropped; the next
 * query reports the error.
 */
export function openTestPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  return pool
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
