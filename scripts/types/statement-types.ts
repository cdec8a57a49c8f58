import type { FieldDef } from 'pg'
import type { Catalog, TableColumn } from './read-catalog.ts'
import type { Description } from './describe-statement.ts'

/**
 * The TypeScript types that node-postgres, as configured in server/platform/database, returns and accepts for
 * PostgreSQL's types.
 */
const scalars: Readonly<Record<string, { readonly read: string; readonly written?: string }>> = {
  bool: { read: 'boolean' },
  bytea: { read: 'Buffer' },
  date: { read: 'string' },
  float8: { read: 'number' },
  int2: { read: 'number' },
  int4: { read: 'number' },
  int8: { read: 'string', written: 'LongNumber' },
  json: { read: 'JsonColumn', written: 'JsonInput' },
  jsonb: { read: 'JsonColumn', written: 'JsonInput' },
  name: { read: 'string' },
  numeric: { read: 'string', written: 'LongNumber' },
  regclass: { read: 'string' },
  text: { read: 'string' },
  time: { read: 'string' },
  timestamp: { read: 'string' },
  timestamptz: { read: 'string' },
  uuid: { read: 'string' },
  void: { read: 'string' },
}

/**
 * Returns the source text that describes an SQL statement in the generated file: the types of the statement's values
 * and columns.
 */
export function typeOfStatement(text: string, description: Description, catalog: Catalog): string {
  const values = description.parameters.map((oid) => writtenType(oid, catalog))
  const columns = description.columns.map(
    (column) => `\n      ${keyOf(column.name)}: ${columnType(text, column, catalog)}`,
  )
  return `  ${JSON.stringify(text)}: {
    values: [${values.join(', ')}]
    row: {${columns.join('')}${columns.length > 0 ? '\n    ' : ''}}
  }
`
}

function keyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
}

// Keywords that can make a result null although the underlying column cannot be null.
const loosening = /\b(left|right|full|union|intersect|except|rollup|cube|grouping)\b/i

function columnType(text: string, column: FieldDef, catalog: Catalog): string {
  const type = readType(column.dataTypeID, catalog)
  const source = catalog.columns.get(`${column.tableID}.${column.columnID}`)
  if (!source || loosening.test(text)) return `Computed<${type}>`
  return `${ownType(type, source)}${source.isRequired ? '' : ' | null'}`
}

function ownType(type: string, { table, name, hasFewValues }: TableColumn): string {
  return hasFewValues ? `Column<'${table}', '${name}'>` : type
}

function readType(oid: number, catalog: Catalog): string {
  const element = catalog.elements.get(oid)
  return element === undefined
    ? scalarOf(oid, catalog).read
    : `${scalarOf(element, catalog).read}[]`
}

function writtenType(oid: number, catalog: Catalog): string {
  const element = catalog.elements.get(oid)
  const { read, written = read } = scalarOf(element ?? oid, catalog)
  return element === undefined ? written : `readonly ${written}[]`
}

function scalarOf(oid: number, catalog: Catalog) {
  const name = catalog.types.get(oid) ?? String(oid)
  const scalar = scalars[name]
  if (!scalar)
    throw new Error(`Add the TypeScript type of the column type ${name} to statement-types.ts.`)
  return scalar
}
