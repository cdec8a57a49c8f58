import pg from 'pg'
import type { Statements } from '#server/platform/database/statements.ts'

/**
 * Runs one statement with parameters and returns its rows. A `name` makes it a prepared statement.
 *
 * Its text is a constant. `npm run types` asks PostgreSQL what it takes and returns; a statement that was not
 * described, or a column that is not in its rows, does not compile. What PostgreSQL cannot know is declared by
 * `rowsAs`.
 */
export type Query = {
  <Text extends keyof Statements>(
    text: Text,
    ...more: More<Statements[Text]['values']>
  ): Promise<Statements[Text]['row'][]>
  /** For a text that is made while the site runs, and for tests: nothing holds `Row` to what is returned. */
  unchecked<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<Row[]>
}

type More<Values extends readonly unknown[]> = Values extends []
  ? [values?: [], name?: string]
  : [values: Nullable<Values>, name?: string]

/** PostgreSQL does not say which values may be null. */
type Nullable<Values extends readonly unknown[]> = {
  readonly [Place in keyof Values]: Values[Place] | null
}

const textTypes = new Set<number>([
  pg.types.builtins.DATE,
  pg.types.builtins.TIME,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.TIMESTAMPTZ,
  pg.types.builtins.INT8,
])
const asText = (value: string) => value

/**
 * Dates, times and timestamps stay the strings PostgreSQL wrote: a JavaScript Date would drag in
 * the zone of the machine, and shop time must not depend on it.
 */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    textTypes.has(oid) ? asText : pg.types.getTypeParser(oid, format),
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
  return Object.assign((...args: Parameters<typeof run>) => run(...args), {
    unchecked: run,
  })
}
