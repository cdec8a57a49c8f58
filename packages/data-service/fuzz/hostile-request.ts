import fc from 'fast-check'
import { sampleOf, type AnyTable } from './any-schema.ts'

export type HostileRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly prefer?: string | undefined
  readonly accept?: string | undefined
}

/** Quotes a name in the syntax of the REST API. */
const quoted = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`
const query = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')

const namesOf = ({ key, columns, refersTo }: AnyTable) => [
  key,
  ...columns.map(({ name }) => name),
  ...(refersTo ? [refersTo.column] : []),
]
const pathOf = ({ name }: AnyTable) => `/${encodeURIComponent(name)}`

function selectOf(tables: readonly AnyTable[], table: AnyTable): fc.Arbitrary<string> {
  const names = namesOf(table)
  const column = fc.constantFrom(...names)
  const plain = fc.shuffledSubarray(names, { minLength: 1 }).map((all) => all.map(quoted).join(','))
  const renamed = fc
    .tuple(column, column)
    .map(([alias, name]) => `${quoted(alias)}:${quoted(name)}`)
  const others = embedsOf(tables, table)
  const embed = others.length > 0 ? fc.constantFrom(...others) : fc.constant('')
  const rows = fc.tuple(fc.oneof(plain, renamed, fc.constant('*')), embed)
  return rows.map((parts) => parts.filter((part) => part !== '').join(','))
}

/**
 * Returns embeds of the table to which `table` refers (plain, with an alias, spread) and of the tables that refer to
 * `table`.
 */
function embedsOf(tables: readonly AnyTable[], table: AnyTable): string[] {
  // A table named `count` cannot be embedded, because PostgREST interprets `count` as the number of rows.
  const parent = table.refersTo?.table.name === 'count' ? undefined : table.refersTo
  const up = parent
    ? ['', 'r:', 'count:', '...'].map(
        (as) => `${as}${target(parent.table)}!${quoted(parent.column)}(${inner(parent.table)})`,
      )
    : []
  const down = tables
    .filter(({ name, refersTo }) => refersTo?.table === table && name !== 'count')
    .flatMap((child) => {
      const embed = `${target(child)}!${quoted(child.refersTo?.column ?? '')}`
      return [`${embed}(${inner(child)})`, `t0:${embed}(${inner(child)})`]
    })
  return [...up, ...down]
}

const target = ({ name }: AnyTable) => quoted(name)
const inner = (table: AnyTable) => namesOf(table).map(quoted).join(',')

function conditionOf(table: AnyTable): fc.Arbitrary<readonly [string, string]> {
  const columns = [{ name: table.key, type: 'int' as const }, ...table.columns]
  return fc.tuple(fc.constantFrom(...columns), fc.nat(3)).chain(([{ name, type }, number]) => {
    const equal = type === 'jsonb' ? 'is.null' : `eq.${sampleOf(type, number)}`
    const listed = type === 'jsonb' ? 'is.null' : `eq.${quoted(sampleOf(type, number))}`
    return fc.constantFrom<readonly [string, string]>(
      [quoted(name), equal],
      [quoted(name), `not.${equal}`],
      ['or', `(${quoted(name)}.${listed},${quoted(table.key)}.eq.2)`],
    )
  })
}

function readOf(tables: readonly AnyTable[], table: AnyTable): fc.Arbitrary<HostileRequest> {
  const count = fc.constantFrom(undefined, 'count=exact')
  const accept = fc.constantFrom(undefined, undefined, undefined, 'text/csv')
  const conditions = fc.array(conditionOf(table), { maxLength: 2 })
  return fc
    .tuple(selectOf(tables, table), conditions, fc.constantFrom(...namesOf(table)), count, accept)
    .map(([select, where, column, prefer, form]) => {
      // CSV requests contain no embeds, because an embed in CSV is JSON text whose spaces differ between this REST API
      // and PostgREST.
      const items = form && /\(/.test(select) ? '*' : select
      const order = `${quoted(column)}.desc.nullslast,${quoted(table.key)}`
      const path = `${pathOf(table)}?${query(['select', items], ...where, ['order', order])}`
      return { method: 'GET', path, prefer, accept: form }
    })
}

function writeOf(tables: readonly AnyTable[], table: AnyTable): fc.Arbitrary<HostileRequest> {
  const key = fc.integer({ min: 1, max: 6 })
  const chosenColumns = fc.subarray([...table.columns])
  return fc
    .tuple(
      key,
      chosenColumns,
      selectOf(tables, table),
      fc.constantFrom('insert', 'upsert', 'update', 'delete'),
    )
    .map(([number, columns, select, kind]): HostileRequest => {
      const values = columns.map(({ name, type }) => [name, jsonOf(type, number)])
      const shown = 'return=representation'
      const one: [string, string] = [quoted(table.key), `eq.${number}`]
      const found = `${pathOf(table)}?${query(one, ['select', select])}`
      if (kind === 'delete') return { method: 'DELETE', path: found, prefer: shown }
      if (kind === 'update') {
        return { method: 'PATCH', path: found, prefer: shown, body: Object.fromEntries(values) }
      }
      return {
        method: 'POST',
        path: `${pathOf(table)}?${query(['select', select])}`,
        prefer: kind === 'upsert' ? `resolution=merge-duplicates, ${shown}` : shown,
        body: Object.fromEntries([[table.key, number], ...values]),
      }
    })
}

function jsonOf(type: AnyTable['columns'][number]['type'], number: number): unknown {
  return type === 'text' ? sampleOf(type, number) : JSON.parse(sampleOf(type, number))
}

/** Generates valid reads and writes of `tables`. */
export function hostileRequest(tables: readonly AnyTable[]): fc.Arbitrary<HostileRequest> {
  return fc
    .constantFrom(...tables)
    .chain((table) =>
      fc.oneof(
        { weight: 3, arbitrary: readOf(tables, table) },
        { weight: 1, arbitrary: writeOf(tables, table) },
      ),
    )
}
