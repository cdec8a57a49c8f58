import fc from 'fast-check'
import { escapeIdentifier, escapeLiteral } from 'pg'

/**
 * Names for tables and columns that SQL, the parsers or JSON could confuse with their own keywords. The column name `*`
 * and the table name `excluded` are omitted, because PostgREST confuses them with its own names.
 */
const hostileNames = [
  'r',
  'is_new',
  'count',
  'select',
  'json',
  't0',
  't1',
  't2',
  'sent',
  'changed',
  'result',
  'value',
  'call',
  'page',
  'body',
  'total',
  'extra',
  'e',
  'c',
  'one',
  'order',
  'limit',
  'and',
  'or',
  'not',
  'quote"d',
  'back\\slash',
  "it's",
  'a b',
  ' a ',
  'Upper Case',
  '🙂',
  'ü',
  'x->y',
  'a.b',
  'a,b',
  '(p)',
  'a:b',
  'a::text',
  '1st',
  '$1',
  '100%',
  'a&b=c',
  '...r',
  '--',
]

const types = ['int', 'text', 'boolean', 'jsonb', 'numeric'] as const
type Type = (typeof types)[number]

export type AnyTable = {
  readonly name: string
  readonly key: string
  readonly columns: readonly { readonly name: string; readonly type: Type }[]
  /** An additional column that refers to the primary key of another table. */
  readonly refersTo?: { readonly column: string; readonly table: AnyTable } | undefined
}

const column = fc.record({
  name: fc.constantFrom(...hostileNames),
  type: fc.constantFrom(...types),
})

/** Generates tables with hostile names. The foreign key of a table can only refer to an earlier table. */
export const anySchema: fc.Arbitrary<readonly AnyTable[]> = fc
  .tuple(
    fc.shuffledSubarray(hostileNames, { minLength: 8, maxLength: 8 }),
    fc.array(
      fc.record({
        names: fc.shuffledSubarray(hostileNames, { minLength: 2, maxLength: 2 }),
        columns: fc.uniqueArray(column, {
          minLength: 1,
          maxLength: 4,
          selector: ({ name }) => name,
        }),
        refers: fc.option(fc.nat(6), { freq: 5 }),
      }),
      { minLength: 8, maxLength: 8 },
    ),
  )
  .map(([tableNames, drafts]) => {
    const tables: AnyTable[] = []
    for (const [index, name] of tableNames.entries()) {
      const { names = [], columns = [], refers } = drafts[index] ?? {}
      const [key = 'id', foreign = 'other'] = names
      const table = refers == null ? undefined : tables[refers % (tables.length || 1)]
      tables.push({
        name,
        key,
        columns: columns.filter((one) => !names.includes(one.name)),
        refersTo: table && { column: foreign, table },
      })
    }
    return tables
  })

/** Renders the SQL that creates the tables with three rows each and grants all privileges. */
export function schemaSql(tables: readonly AnyTable[]): string {
  return tables.map((table) => `${createSql(table)};\n${fillSql(table)};`).join('\n')
}

function createSql({ name, key, columns, refersTo }: AnyTable): string {
  const table = escapeIdentifier(name)
  const parts = [
    `${escapeIdentifier(key)} int primary key`,
    ...columns.map((one) => `${escapeIdentifier(one.name)} ${one.type}`),
    ...(refersTo
      ? [
          `${escapeIdentifier(refersTo.column)} int references ${escapeIdentifier(refersTo.table.name)}`,
        ]
      : []),
  ]
  return `create table ${table} (${parts.join(', ')});
    grant select, insert, update, delete on ${table} to anon, authenticated`
}

function fillSql({ name, columns, refersTo }: AnyTable): string {
  const rows = [1, 2, 3].map((number) => {
    const values = columns.map(({ type }) => escapeLiteral(sampleOf(type, number)))
    return `(${[number, ...values, ...(refersTo ? [number === 3 ? 'null' : number] : [])].join(', ')})`
  })
  return `insert into ${escapeIdentifier(name)} values ${rows.join(', ')}`
}

/** Renders a random value of `type` as JSON or as the text of a filter. */
export function sampleOf(type: Type, number: number): string {
  if (type === 'boolean') return String(number === 1)
  if (type === 'jsonb') return `{"r": ${number}}`
  return type === 'text' ? `text "${number}"` : String(number)
}
