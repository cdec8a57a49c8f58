import pg from 'pg'

/**
 * The statements of the program by their text, each with its values and its row. Empty here: the program generates
 * them and adds them with `declare module '@local/postgres' { interface Statements { … } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Statements {}

/**
 * Runs one statement with parameters and returns its rows. A `name` makes it a prepared statement.
 *
 * The text is a constant that `Statements` describes: an unknown statement, a value of another type or a column
 * that its rows do not have does not compile. `rowsAs` declares what PostgreSQL cannot know.
 */
export type Query = {
  <Text extends keyof Statements>(
    text: Text,
    ...more: More<Statements[Text]['values']>
  ): Promise<Statements[Text]['row'][]>
  /** For a text that is built at run time, and for tests: nothing checks that the rows are of type `Row`. */
  unchecked<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<Row[]>
}

type More<Values extends readonly unknown[]> = Values extends []
  ? [values?: [], name?: string]
  : [values: Nullable<Values>, name?: string]

/** PostgreSQL does not tell which values may be null, so each of them may. */
type Nullable<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: Values[Index] | null
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
 * Dates, times and timestamps stay the strings that PostgreSQL wrote: a JavaScript Date would apply the time zone
 * of the machine.
 */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    textTypes.has(oid) ? asText : pg.types.getTypeParser(oid, format),
}

/** Runs statements on one connection. */
export function queryOf(client: pg.ClientBase): Query {
  return queryBy(async (text, values = [], name) => {
    const named = name === undefined ? {} : { name }
    const query = { text, values: [...values], types: columnTypes, ...named }
    return (await client.query(query)).rows
  })
}

/** Makes a `Query` of a function that runs one statement. */
export function queryBy(run: Query['unchecked']): Query {
  return Object.assign((...args: Parameters<typeof run>) => run(...args), {
    unchecked: run,
  })
}
