import pg from 'pg'

/**
 * Opens a connection pool for setting up and inspecting data. Ignores the break of an idle connection, for example
 * after the test dropped the database: only a query on a broken connection fails.
 */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  return pool
}
