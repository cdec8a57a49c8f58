import pg from 'pg'

/**
 * Connections to arrange and look with. One that breaks while nobody uses it, as when its database is
 * dropped, is nobody's failure; the next query would tell.
 */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  return pool
}
