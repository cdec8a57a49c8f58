import pg from 'pg'

/**
 * The statements of the program by their text, each with the types of its values and rows. The interface is empty
 * here: the program generates the entries and adds them with `declare module '@local/postgres' { interface Statements
 * { … } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Statements {}

/**
 * Runs one statement with parameters and returns its rows. With a `name`, the statement is a prepared statement. The
 * text must be a constant that `Statements` describes: an unknown statement, a value of another type or a missing
 * column is a compile error. `rowsAs` declares the types that PostgreSQL cannot know.
 */
export type Query = {
  <Text extends keyof Statements>(
    text: Text,
    ...more: More<Statements[Text]['values']>
  ): Promise<Statements[Text]['row'][]>
  /**
   * Runs a statement whose text is built at run time, or a statement of a test. The compiler does not check the type
   * `Row`.
   */
  unchecked<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<Row[]>
}

type More<Values extends readonly unknown[]> = Values extends []
  ? [values?: [], name?: string]
  : [values: Nullable<Values>, name?: string]

/**
 * Adds null to the type of each placeholder value, because PostgreSQL does not report which placeholders accept null.
 */
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
 * Dates, times and timestamps remain the texts that PostgreSQL sent, because a JavaScript Date would apply the time
 * zone of the machine.
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

/** Creates a `Query` from a function that runs one statement. */
export function queryBy(run: Query['unchecked']): Query {
  return Object.assign((...args: Parameters<typeof run>) => run(...args), {
    unchecked: run,
  })
}
