import pg from 'pg'

/** Runs one statement with parameters and returns its rows. A `name` makes it a prepared statement. */
export type Query = <Row extends pg.QueryResultRow>(
  sql: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<Row[]>

const textTypes = new Set<number>([
  pg.types.builtins.DATE,
  pg.types.builtins.TIME,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.TIMESTAMPTZ,
  pg.types.builtins.INT8,
])
const keepText = (value: string) => value

/**
 * Dates, times and timestamps stay the strings PostgreSQL wrote: a JavaScript Date would drag in
 * the zone of the machine, and shop time must not depend on it.
 */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    textTypes.has(oid) ? keepText : pg.types.getTypeParser(oid, format),
}

/** The statements of one connection. */
export function queryOf(client: pg.ClientBase): Query {
  return async (text, values = [], name) => {
    const named = name === undefined ? {} : { name }
    const query = { text, values: [...values], types: columnTypes, ...named }
    return (await client.query(query)).rows
  }
}
