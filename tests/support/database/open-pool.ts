import pg from 'pg'

/**
 * Connections for setting up and inspecting data. An idle connection may break, for example because its database is
 * dropped. Such a break is no error: only the next query on the connection would fail.
 */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  return pool
}
