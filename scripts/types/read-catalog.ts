import type { ClientBase } from 'pg'

export type TableColumn = {
  readonly table: string
  readonly name: string
  /** Whether the column is declared not null. */
  readonly isRequired: boolean
  /**
   * Whether a check constraint or a foreign key limits this text column of the schema `public` to a list of values.
   * contracts/database.ts contains the types of such columns.
   */
  readonly hasFewValues: boolean
}

/** The parts of the database catalog that the description of a statement refers to. */
export type Catalog = {
  /** The names of types by their OIDs. */
  readonly types: ReadonlyMap<number, string>
  /** The element types of array types, by the OIDs of the array types. */
  readonly elements: ReadonlyMap<number, number>
  /** The columns of tables, by 'oid.number': the OID of the table and the number of the column. */
  readonly columns: ReadonlyMap<string, TableColumn>
}

export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string; element: number }>(
    `select oid, typname as name, case when typcategory = 'A' then typelem else 0 end as element from pg_type`,
  )
  const columns = await client.query<TableColumn & { key: string }>(
    `select a.attrelid || '.' || a.attnum as key, c.relname as table, a.attname as name,
       a.attnotnull as "isRequired",
       c.relnamespace = 'public'::regnamespace and a.atttypid = 'text'::regtype and exists (
         select from pg_constraint k where k.conrelid = c.oid and k.conkey = array[a.attnum]
           and (k.contype = 'f' or pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%'))
         as "hasFewValues"
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind = 'r' and not a.attisdropped`,
  )
  return {
    types: new Map(types.rows.map(({ oid, name }) => [oid, name])),
    elements: new Map(types.rows.flatMap(({ oid, element }) => (element ? [[oid, element]] : []))),
    columns: new Map(columns.rows.map(({ key, ...column }) => [key, column])),
  }
}
