import pg from 'pg'

/**
 * Connections for setting up and inspecting data. An idle connection that breaks, for example because its database is
 * dropped, is not an error; the next query would fail.
 */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  return pool
}
