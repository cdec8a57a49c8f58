import type { Pool } from 'pg'

export type RowSuggestion = {
  /** The insert statements for the rows that the database `current` lacks, one statement for each table. */
  readonly sql: string
  /**
   * The rows whose values differ between the databases, and the rows that only the database `current` has, for example
   * "public.bays: 'Bay 1'".
   */
  readonly others: readonly string[]
}

/**
 * Suggests insert statements for the rows of seeded tables that the database `wanted` has and the database `current`
 * lacks. Identifies a row by its primary key. Skips tables whose definitions differ between the databases, and tables
 * with generated keys, because such keys differ in every database.
 */
export async function suggestRows(current: Pool, wanted: Pool): Promise<RowSuggestion> {
  const statements: string[] = []
  const others: string[] = []
  const known = new Set((await readTables(current)).map((table) => JSON.stringify(table)))
  for (const table of await readTables(wanted)) {
    if (!known.has(JSON.stringify(table))) continue
    const before = await readRows(current, table)
    const after = await readRows(wanted, table)
    const added = [...after].filter(([key]) => !before.has(key)).map(([, values]) => values)
    if (added.length > 0) statements.push(insertInto(table, added))
    const changed = [...before].filter(([key, values]) => after.get(key) !== values)
    others.push(...changed.map(([key]) => `${table.name}: ${key}`))
  }
  return { sql: statements.join('\n'), others }
}

/** A table with its columns and its primary key. The names have quotes where SQL requires them. */
type Table = { readonly name: string; readonly columns: string[]; readonly key: string[] }

async function readTables(owner: Pool): Promise<Table[]> {
  const { rows } = await owner.query<Table>(`
    select relnamespace::regnamespace || '.' || quote_ident(relname) as name,
      array_agg(quote_ident(attname) order by attnum) as columns,
      array_agg(quote_ident(attname) order by attnum) filter (where attnum = any(indkey)) as key
    from pg_class join pg_index on indrelid = pg_class.oid and indisprimary
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'internal')
      and attidentity = '' and attgenerated = '' and atttypid <> 'uuid'::regtype
      and coalesce(pg_get_expr(adbin, adrelid), '') !~ 'now\\(\\)'
    group by pg_class.oid, indnkeyatts having count(*) filter (where attnum = any(indkey)) = indnkeyatts
    order by name`)
  return rows
}

/** Reads the rows of a table as SQL literals, by their primary key. */
async function readRows(owner: Pool, { name, columns, key }: Table): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ key: string; values: string }>(
    `select ${literals(key)} as key, ${literals(columns)} as values from ${name} order by 1`,
  )
  return new Map(rows.map((row) => [row.key, row.values]))
}

const literals = (columns: readonly string[]): string =>
  `concat_ws(', ', ${columns.map((column) => `quote_nullable(${column}::text)`).join(', ')})`

function insertInto({ name, columns }: Table, rows: readonly string[]): string {
  const values = rows.map((row) => `  (${row})`).join(',\n')
  return `insert into ${name} (${columns.join(', ')}) values\n${values};\n`
}
