import pg from 'pg'

type Run = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<Row[]>

/** Runs one statement with parameters and returns its rows. A `name` makes it a prepared statement. */
export type Query = Run & {
  /** For a text that is made while the site runs, and for tests: nothing holds `Row` to what is returned. */
  unchecked: Run
}

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
  return queryBy(async (text, values = [], name) => {
    const named = name === undefined ? {} : { name }
    const query = { text, values: [...values], types: columnTypes, ...named }
    return (await client.query(query)).rows
  })
}

/** What runs a statement, as it is asked for by `Query`. */
export function queryBy(run: Query['unchecked']): Query {
  const asked: Run = (text, values, name) => run(text, values, name)
  return Object.assign(asked, { unchecked: run })
}
